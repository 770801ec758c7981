import { join } from 'node:path';
import type { ValidationEngine } from './engine';
import { filled, filledCommand, trialEnvironment } from './placeholders';
import { toolCommand } from './tool';
import { unjudged } from './unjudged';

/** OpenHands benchmarks: inference on one instance, chosen by a file; the suite grades `output.jsonl` with `verify`. */
export const openHandsEngine: ValidationEngine = {
  id: 'openhands',
  tool: {
    program: ['swebench-infer'],
    versionCommand: (program) => [...program, '--help'],
    knows: () => true,
    known: '1',
    install: 'a checkout of OpenHands benchmarks with "uv sync"; set "program" to ["uv", "run", "swebench-infer"]',
  },

  plan(request) {
    const { suite, task, out, worktree } = request;
    return {
      argv: toolCommand(openHandsEngine, request, [
        ...filled([suite.target ?? ''], request),
        '--select',
        join(out, 'select.txt'),
        '--output-dir',
        join(out, 'trajectories'),
        '--num-workers',
        '1',
      ]),
      cwd: worktree,
      environment: trialEnvironment(request),
      files: { 'select.txt': `${task}\n` },
      ...(suite.verify === undefined ? {} : { verify: filledCommand(suite.verify, request) }),
    };
  },

  parse: (end, request) => unjudged('trajectories', end, request),
};
