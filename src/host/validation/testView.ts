import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, runCommand, setting, settingScope, showError, trusted } from '../commands';
import { DisposableStore } from '../disposable';
import { type FromTree, testControllerId } from '../ids';
import { chooseProposal } from '../review/chooseProposal';
import type { HostContribution, Services } from '../services';
import { failingTrace } from './taskResults';
import { followInTestView } from './testRuns';
import type { ValidationRequest } from './validationService';

/** Suites and tasks in the Testing view, and the commands that start, resume and show runs. */
export const validationContribution: HostContribution = {
  name: 'validation',
  activate(services: Services) {
    const store = new DisposableStore();
    const controller = store.add(vscode.tests.createTestController(testControllerId, 'Harnessmith validation'));
    controller.resolveHandler = async (item) => {
      if (!item) await services.harness.ensure();
    };
    const start = (request: ValidationRequest, run: vscode.TestRunRequest) =>
      startRun(services, controller, request, run);
    const profile = (
      label: string,
      isDefault: boolean,
      pick: () => Promise<string | null | undefined>,
      repeats: () => number | null = () => trials(services),
    ) =>
      store.add(
        controller.createRunProfile(
          label,
          vscode.TestRunProfileKind.Run,
          async (request) => {
            try {
              const proposal = await pick();
              if (proposal === undefined) return;
              for (const part of partsOf(controller, request))
                await start({ ...part, proposal, trials: repeats() }, request);
            } catch (error) {
              await showError(error, services.log, label);
            }
          },
          isDefault,
        ),
      );
    profile('Validate (N trials)', true, () => pickProposal(services));
    profile(
      'Screen (1 trial)',
      false,
      () => pickProposal(services),
      () => 1,
    );
    profile('Baseline (A/A, shows the noise)', false, () => Promise.resolve(null));
    store.add(
      registerCommand('harnessmith.openFailingStep', services.log, async (item) => {
        const [, suite, task] = /^task:([^/]+)\/(.*)$/s.exec(item?.id ?? '') ?? [];
        if (suite === undefined || task === undefined) return;
        await services.harness.ensure();
        for (const run of (await services.validation.runs()).filter((each) => each.suiteName === suite)) {
          const { trials: made, folder } = await services.validation.read(run.id);
          const trace = failingTrace(made, task);
          // The trace page opens at its first finding, or where the run failed.
          if (trace !== null)
            return await runCommand('harnessmith.openTrace', { run: join(folder, ...trace.split('/')) });
        }
        void vscode.window.showInformationMessage(`No failed trial of ${task} has left a trace.`);
      }),
    );
    store.add(services.harness.onDidChange(() => fillItems(services, controller)));
    store.add(reattach(services, controller));
    store.add(
      registerCommand('harnessmith.validateProposal', services.log, async (node) => {
        await services.harness.ensure();
        const view = await chooseProposal(services, () => proposalOf(services, node), 'Validate which proposal?');
        const suite = view && (await pickSuite(services));
        if (!view || !suite) return;
        const include = [...controller.items].map(([, item]) => item).filter((item) => item.id === `suite:${suite}`);
        const request = new vscode.TestRunRequest(include);
        await start({ suite, proposal: view.proposal.id, trials: trials(services), tasks: null }, request);
      }),
    );
    store.add(
      registerCommand('harnessmith.resumeRun', services.log, async (id) => {
        await services.harness.ensure();
        const run = id ?? (await pickRun(services, 'Resume which run?', (state) => state !== 'finished'));
        if (!run || !trusted('Resuming a run')) return;
        await services.validation.start(run);
        void followInTestView(services, controller, run, new vscode.TestRunRequest());
        await runCommand('harnessmith.openResults', run);
      }),
    );
    return store;
  },
};

function trials(services: Services): number | null {
  return setting('validation.trials', settingScope(services.harness)) || null;
}

async function startRun(
  services: Services,
  controller: vscode.TestController,
  request: ValidationRequest,
  testRequest: vscode.TestRunRequest,
): Promise<void> {
  if (!trusted('Validating')) return;
  const manifest = await services.validation.create(request);
  await services.validation.start(manifest.id);
  // Not awaited: the run goes on by itself, and the results page shows it from the first trial.
  void followInTestView(services, controller, manifest.id, testRequest);
  await runCommand('harnessmith.openResults', manifest.id);
}

/** Items mirror the suites of the configuration. */
function fillItems(services: Services, controller: vscode.TestController): void {
  const { head } = services.harness;
  const file = head?.configFile ? vscode.Uri.file(head.configFile) : undefined;
  controller.items.replace(
    (head?.suites ?? []).map((suite) => {
      const item = controller.createTestItem(`suite:${suite.name}`, suite.name, file);
      item.description = `${suite.tasks.length} tasks x ${suite.trials}`;
      item.children.replace(
        suite.tasks.map((task) => controller.createTestItem(`task:${suite.name}/${task}`, task, file)),
      );
      return item;
    }),
  );
}

/** Suites and tasks a request asks for; whole suites as null, so that the run says so. */
function partsOf(
  controller: vscode.TestController,
  request: vscode.TestRunRequest,
): { suite: string; tasks: string[] | null }[] {
  const included = request.include ?? [...controller.items].map(([, item]) => item);
  const parts = new Map<string, string[] | null>();
  for (const item of included) {
    const suite = item.parent ?? item;
    const name = suite.id.replace(/^suite:/, '');
    if (!item.parent) parts.set(name, null);
    else if (parts.get(name) !== null) parts.set(name, [...(parts.get(name) ?? []), item.label]);
  }
  const excluded = new Set(request.exclude?.map((item) => item.id));
  return [...parts].map(([suite, tasks]) => ({
    suite,
    tasks: tasks?.filter((task) => !excluded.has(`task:${suite}/${task}`)) ?? null,
  }));
}

/** The proposal of a tree node, else the only one with accepted hunks. */
function proposalOf(services: Services, node: FromTree) {
  const target = node?.target;
  if (target && 'proposal' in target) return services.proposals.proposal(target.proposal);
  const isTaken = (state: string) => state === 'accepted' || state === 'applied';
  const ready = services.proposals.proposals?.filter((view) => view.hunks.some((hunk) => isTaken(hunk.state))) ?? [];
  return ready.length === 1 ? ready[0] : undefined;
}

async function pickProposal(services: Services): Promise<string | undefined> {
  const view = await chooseProposal(services, () => proposalOf(services, undefined), 'Validate which proposal?');
  return view?.proposal.id;
}

async function pickSuite(services: Services): Promise<string | undefined> {
  const suites = services.harness.head?.suites ?? [];
  if (suites.length === 1) return suites[0]!.name;
  const picks = suites.map((suite) => ({
    label: suite.name,
    description: `${suite.tasks.length} tasks x ${suite.trials}`,
  }));
  if (picks.length === 0) {
    void vscode.window.showWarningMessage(
      'The harness has no suite. Add one under "suites" in .harnessmith/harness.json.',
    );
    return undefined;
  }
  return (await vscode.window.showQuickPick(picks, { title: 'On which suite?' }))?.label;
}

/** Lets the person choose a run; undefined when there is none or nothing was chosen. */
export async function pickRun(
  services: Services,
  title: string,
  wanted: (state: string) => boolean = () => true,
): Promise<string | undefined> {
  const runs = (await services.validation.runs()).filter((run) => wanted(run.state));
  if (runs.length === 0) {
    void vscode.window.showInformationMessage('There is no such run yet. Validate a proposal first.');
    return undefined;
  }
  if (runs.length === 1) return runs[0]!.id;
  const picks = runs.map((run) => ({
    label: run.id,
    description: `${run.suiteName}, ${run.tasks.length} tasks x ${run.trials}, ${run.state}`,
    detail: run.proposal ? `proposal ${run.proposal}` : 'baseline',
  }));
  return (await vscode.window.showQuickPick(picks, { title }))?.label;
}

/** Runs that went on while the window was closed or reloaded are shown again. */
function reattach(services: Services, controller: vscode.TestController): DisposableStore {
  const store = new DisposableStore();
  let last: string | null = null;
  store.add(
    services.harness.onDidChange((state) => {
      if (state.status !== 'ready' || state.root === last) return;
      last = state.root;
      services.validation
        .runs()
        .then((runs) => {
          for (const run of runs.filter((one) => one.state === 'running')) {
            void followInTestView(services, controller, run.id, new vscode.TestRunRequest());
          }
        })
        .catch((error: unknown) => services.log.error('Runs under way could not be found', error));
    }),
  );
  return store;
}
