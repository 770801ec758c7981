import { join } from 'node:path';
import type { TrialPlan, TrialRequest, ValidationEngine } from './engine';
import { filled, filledCommand, trialEnvironment } from './placeholders';
import { exactly, toolCommand } from './tool';
import { unjudged } from './unjudged';

/**
 * mini-swe-agent. With a `--subset` among the arguments its SWE-bench batch works on one instance; without, `mini` works on
 * the task as text, in `{out}`. A configuration with a deterministic model makes trials without a network. It tells what the
 * agent submitted and never whether that is right, so the suite says how that is judged with `verify`.
 */
export const miniSweAgentEngine: ValidationEngine = {
  id: 'mini-swe-agent',
  tool: {
    program: ['mini'],
    versionCommand: (program) => [...program, '--help'],
    knows: () => true,
    known: '1 and 2',
    install: 'pip install mini-swe-agent',
  },

  plan(request) {
    const { suite } = request;
    const target = filled([suite.target ?? ''], request);
    const model = suite.model === undefined ? [] : ['--model', suite.model];
    const plan = suite.arguments.includes('--subset') ? batch(request, target, model) : single(request, target, model);
    return {
      ...plan,
      // Otherwise its first start asks for a key.
      environment: { MSWEA_CONFIGURED: 'true', MSWEA_SILENT_STARTUP: '1', ...trialEnvironment(request) },
      ...(suite.verify === undefined ? {} : { verify: filledCommand(suite.verify, request) }),
    };
  },

  parse: (end, request) => unjudged('trajectory', end, request),
};

type Start = Omit<TrialPlan, 'environment'>;

function batch(request: TrialRequest, target: string[], model: string[]): Start {
  const own = ['swebench', '--config', ...target, '--filter', exactly(request.task), '--workers', '1', ...model];
  const argv = toolCommand(
    miniSweAgentEngine,
    request,
    [...own, '--output', join(request.out, 'trajectory')],
    ['mini-extra'],
  );
  return { argv, cwd: request.worktree };
}

function single(request: TrialRequest, target: string[], model: string[]): Start {
  const file = join(request.out, 'trajectory', 'trial.traj.json');
  const own = [
    '--config',
    ...target,
    '--task',
    request.task,
    '--output',
    file,
    '--yolo',
    '--exit-immediately',
    ...model,
  ];
  return { argv: toolCommand(miniSweAgentEngine, request, own), cwd: request.out };
}
