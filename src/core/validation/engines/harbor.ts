import { harborResults } from '../results/harbor';
import type { ValidationEngine } from './engine';
import { outcomeFrom } from './foundResults';
import { filled, trialEnvironment } from './placeholders';
import { compareVersions, isPath, toolCommand } from './tool';

/**
 * Harbor: one attempt of one task a job. The filter for task names was `--task-name` up to 0.2 and is
 * `--include-task-name` since 0.3, where `--task` came to mean a task of the registry (read in the published wheels).
 */
export const harborEngine: ValidationEngine = {
  id: 'harbor',
  tool: {
    program: ['harbor'],
    versionCommand: (program) => [...program, '--version'],
    knows: (version) => version?.startsWith('0.') === true && compareVersions(version, '0.1.45') >= 0,
    known: '0.1.45 to 0.x',
    install: 'uv tool install harbor (Python 3.12 or newer)',
  },

  plan(request) {
    const { suite, task, worktree, version } = request;
    const target = suite.target ?? '';
    const filter = compareVersions(version ?? '0.3', '0.3') < 0 ? '--task-name' : '--include-task-name';
    return {
      argv: toolCommand(harborEngine, request, [
        'run',
        isPath(target) ? '--path' : '--dataset',
        ...filled([target], request),
        filter,
        task,
        '--n-attempts',
        '1',
        '--n-concurrent',
        '1',
        '--jobs-dir',
        ...filled(['{out}/jobs'], request),
        '--job-name',
        'trial',
        ...(suite.model === undefined ? [] : ['--model', suite.model]),
      ]),
      cwd: worktree,
      environment: trialEnvironment(request),
    };
  },

  parse: (end, request) => outcomeFrom(harborResults, 'jobs/trial', end, request),
};
