import { terminalBenchResults } from '../results/terminalBench';
import type { ValidationEngine } from './engine';
import { outcomeFrom } from './foundResults';
import { filled, trialEnvironment } from './placeholders';
import { isPath, toolCommand } from './tool';

/** terminal-bench 1: one attempt of one task a run. Its program prints no version, so only its presence is checked. */
export const terminalBenchEngine: ValidationEngine = {
  id: 'terminal-bench',
  tool: {
    program: ['tb'],
    versionCommand: (program) => [...program, 'run', '--help'],
    knows: () => true,
    known: '0.2',
    install: 'uv tool install terminal-bench (Python 3.12 or newer)',
  },

  plan(request) {
    const { suite, task, worktree } = request;
    const target = suite.target ?? '';
    return {
      argv: toolCommand(terminalBenchEngine, request, [
        'run',
        isPath(target) ? '--dataset-path' : '--dataset',
        ...filled([target], request),
        '--task-id',
        task,
        '--n-attempts',
        '1',
        '--n-concurrent',
        '1',
        '--output-path',
        ...filled(['{out}/runs'], request),
        '--run-id',
        'trial',
        ...(suite.model === undefined ? [] : ['--model', suite.model]),
      ]),
      cwd: worktree,
      environment: trialEnvironment(request),
    };
  },

  parse: (end, request) => outcomeFrom(terminalBenchResults, 'runs/trial', end, request),
};
