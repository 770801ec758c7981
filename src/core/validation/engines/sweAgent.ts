import { join } from 'node:path';
import type { ValidationEngine } from './engine';
import { filled, filledCommand, trialEnvironment } from './placeholders';
import { exactly, toolCommand } from './tool';
import { unjudged } from './unjudged';

/** SWE-agent: one instance a batch. It tells no verdict; the suite judges the patch with `verify`. */
export const sweAgentEngine: ValidationEngine = {
  id: 'swe-agent',
  tool: {
    program: ['sweagent'],
    versionCommand: (program) => [...program, '--help'],
    knows: () => true,
    known: '1',
    install: 'pip install sweagent, or a checkout of SWE-agent with pip install -e .',
  },

  plan(request) {
    const { suite, task, out, worktree } = request;
    return {
      argv: toolCommand(sweAgentEngine, request, [
        'run-batch',
        '--config',
        ...filled([suite.target ?? ''], request),
        `--instances.filter=${exactly(task)}`,
        `--output_dir=${join(out, 'trajectories')}`,
        '--num_workers=1',
        ...(suite.model === undefined ? [] : [`--agent.model.name=${suite.model}`]),
      ]),
      cwd: worktree,
      environment: trialEnvironment(request),
      ...(suite.verify === undefined ? {} : { verify: filledCommand(suite.verify, request) }),
    };
  },

  parse: (end, request) => unjudged('trajectories', end, request),
};
