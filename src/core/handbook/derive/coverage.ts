import type { ProgramGraph } from '../../graph';
import type { Site } from '../model';
import type { Scope } from './scope';
import type { Sources } from './sources';

const codeLanguages = new Set(['python', 'typescript', 'tsx', 'javascript', 'jsx', 'go', 'rust']);
const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\}|type\s*\{[^}]*\})\s*from\b|\}\s*from\s+['"])/;

export interface Coverage {
  codeLines: number;
  assignedLines: number;
  unassigned: { file: string; start: number; end: number }[];
}

/** Which code lines some unit owns. Blank lines, comments and imports are not counted, tests and foreign files neither. */
export function measureCoverage(graph: ProgramGraph, sources: Sources, scope: Scope, sites: readonly Site[]): Coverage {
  const owned = new Map<string, Site[]>();
  for (const site of sites) owned.set(site.file, [...(owned.get(site.file) ?? []), site]);
  const coverage: Coverage = { codeLines: 0, assignedLines: 0, unassigned: [] };
  for (const file of graph.data.files) {
    if (!codeLanguages.has(file.language) || !scope.isInside(file.path)) continue;
    const lines = sources.lines(file.path);
    const mark = new Uint8Array(lines.length + 2);
    for (const site of owned.get(file.path) ?? []) mark.fill(1, site.start, Math.min(site.end, lines.length) + 1);
    let open: { file: string; start: number; end: number } | undefined;
    for (const line of codeLineNumbers(lines)) {
      coverage.codeLines++;
      if (mark[line] === 1) {
        coverage.assignedLines++;
        open = undefined;
      } else if (open) {
        open.end = line;
      } else {
        open = { file: file.path, start: line, end: line };
        coverage.unassigned.push(open);
      }
    }
  }
  return coverage;
}

function* codeLineNumbers(lines: readonly string[]): Generator<number> {
  let inComment = false;
  let inImport = false;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (inComment) {
      inComment = !text.includes('*/');
      continue;
    }
    if (text.startsWith('/*')) {
      inComment = !text.includes('*/');
      continue;
    }
    if (text === '' || /^(?:#|\/\/|\*)/.test(text)) continue;
    if (inImport) {
      inImport = !/^[)}]/.test(text);
      continue;
    }
    if (importLine.test(line) || /^(?:export|import)\s*\{\s*$/.test(text)) {
      inImport = /[({]\s*(?:#.*)?$/.test(text);
      continue;
    }
    yield index + 1;
  }
}
