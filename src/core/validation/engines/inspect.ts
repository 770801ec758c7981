import { traceResults } from '../results/traceFolder';
import type { ValidationEngine } from './engine';
import { outcomeFrom } from './foundResults';
import { filled, trialEnvironment } from './placeholders';
import { toolCommand } from './tool';

/** Inspect: one sample an evaluation, so that arms and repeats can be interleaved. Tasks are sample ids. */
export const inspectEngine: ValidationEngine = {
  id: 'inspect',
  tool: {
    program: ['inspect'],
    versionCommand: (program) => [...program, '--version'],
    knows: (version) => version?.startsWith('0.3.') === true,
    known: '0.3',
    install: 'pip install inspect-ai',
  },

  plan(request) {
    const { suite, task, seed, worktree } = request;
    return {
      argv: toolCommand(inspectEngine, request, [
        'eval',
        ...filled([suite.target ?? ''], request),
        '--sample-id',
        task,
        '--epochs',
        '1',
        '--seed',
        String(seed),
        '--log-dir',
        ...filled(['{out}/logs'], request),
        '--log-format',
        'json',
        '--display',
        'plain',
        ...(suite.model === undefined ? [] : ['--model', suite.model]),
      ]),
      cwd: worktree,
      environment: trialEnvironment(request),
    };
  },

  parse: (end, request) => outcomeFrom(traceResults, 'logs', end, request),
};
