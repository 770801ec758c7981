import type { CommandLine, TrialRequest, ValidationEngine } from './engine';
import { filled } from './placeholders';

/** The start of the engine's tool, its own arguments and then those of the suite, which can thus override them. */
export function toolCommand(
  engine: ValidationEngine,
  request: TrialRequest,
  own: readonly string[],
  program: CommandLine = engine.tool?.program ?? [''],
): CommandLine {
  const [first = '', ...rest] = filled(request.suite.program ?? program, request);
  return [first, ...rest, ...own, ...filled(request.suite.arguments, request)];
}

/** Numbers of a version such as `0.8.0`, compared place by place: negative when `one` is older. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A regular expression that matches one text and no other. */
export function exactly(text: string): string {
  return `^${text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}$`;
}

/** Whether what a suite evaluates is a path, and not a name in a registry. */
export function isPath(target: string): boolean {
  return /^(\.{0,2}\/|\{|[A-Za-z]:\\)/.test(target) || target === '.';
}
