import type { TrialPlan, TrialRequest, ValidationEngine } from './engine';
import { judged } from './judged';
import { filledCommand, trialEnvironment } from './placeholders';

/** One command a trial, judged by exit code or by a result file it leaves in `{out}`. Needs nothing installed. */
export const commandEngine: ValidationEngine = {
  id: 'command',
  tool: null,

  plan(request: TrialRequest): TrialPlan {
    const { suite, worktree } = request;
    return {
      argv: filledCommand(suite.command, request),
      cwd: worktree,
      environment: {
        // Inside the desktop editor {node} is Electron, which is Node only when told so.
        ...(process.versions.electron && suite.command.includes('{node}') ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
        ...trialEnvironment(request),
      },
    };
  },

  parse: (end, request) => judged(end, request),
};
