import { promptfooResults } from '../results/promptfoo';
import type { ValidationEngine } from './engine';
import { outcomeFrom } from './foundResults';
import { filled, trialEnvironment } from './placeholders';
import { exactly, toolCommand } from './tool';

/** promptfoo: one test an evaluation. Tasks are the descriptions of the tests. */
export const promptfooEngine: ValidationEngine = {
  id: 'promptfoo',
  tool: {
    program: ['promptfoo'],
    versionCommand: (program) => [...program, '--version'],
    knows: (version) => /^0\.1\d\d\./.test(version ?? ''),
    known: '0.100 to 0.199',
    install: 'npm install -g promptfoo',
  },

  plan(request) {
    const { suite, task, worktree, out } = request;
    return {
      argv: toolCommand(promptfooEngine, request, [
        'eval',
        '--config',
        ...filled([suite.target ?? ''], request),
        '--output',
        ...filled(['{out}/results.json'], request),
        '--filter-pattern',
        exactly(task),
        '--repeat',
        '1',
        '--max-concurrency',
        '1',
        '--no-cache',
        '--no-progress-bar',
      ]),
      cwd: worktree,
      environment: {
        // Its own records would go to the user's home, shared by all trials.
        PROMPTFOO_CONFIG_DIR: `${out}/promptfoo`,
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        ...trialEnvironment(request),
      },
    };
  },

  parse: (end, request) => outcomeFrom(promptfooResults, 'results.json', end, request),
};
