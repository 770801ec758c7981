import * as vscode from 'vscode';
import { showError, trusted } from '../commands';
import type { Services } from '../services';
import { finishedTasks, type TaskResult, trialLine } from './taskResults';

const followed = new Set<string>();

/** Shows a run in the Testing view until it ends; its stop button ends the run itself. Never throws. */
export async function followInTestView(
  services: Services,
  controller: vscode.TestController,
  id: string,
  request: vscode.TestRunRequest,
): Promise<void> {
  if (followed.has(id)) return;
  followed.add(id);
  const run = controller.createTestRun(request, id, true);
  const reported = new Set<string>();
  let itemOf: (task: string) => vscode.TestItem | undefined = () => undefined;
  run.token.onCancellationRequested(() => {
    // The process to stop is named by a file of the folder.
    if (!trusted('Stopping a run')) return;
    services.validation.cancel(id).catch((error: unknown) => showError(error, services.log, `Stopping run ${id}`));
  });
  try {
    const { manifest } = await services.validation.read(id);
    const suite = controller.items.get(`suite:${manifest.suiteName}`);
    itemOf = (task) => suite?.children.get(`task:${manifest.suiteName}/${task}`);
    for (const task of manifest.tasks) started(run, itemOf(task));
    const place = await changedPlace(services, manifest.proposal);
    await services.validation.follow(id, {
      onChange: (state, trials) => {
        for (const trial of trials) run.appendOutput(trialLine(trial), undefined, itemOf(trial.task));
        for (const result of finishedTasks(state.manifest, state.trials)) {
          const item = itemOf(result.task);
          if (!item || reported.has(result.task)) continue;
          reported.add(result.task);
          const message = messageOf(result, place);
          const milliseconds = result.seconds * 1000;
          if (result.state === 'passed') run.passed(item, milliseconds);
          else if (result.state === 'failed') run.failed(item, message, milliseconds);
          else run.errored(item, message, milliseconds);
          run.appendOutput(`${result.task}: ${result.words}\r\n`, undefined, item);
        }
        if (state.manifest.state === 'finished' && state.verdict) run.appendOutput(`\r\n${state.verdict.sentence}\r\n`);
      },
      onError: (error) => void showError(error, services.log, `Run ${id}`),
    });
    for (const task of manifest.tasks) {
      const item = itemOf(task);
      if (item && !reported.has(task)) run.skipped(item);
    }
  } catch (error) {
    await showError(error, services.log, `Run ${id}`);
  } finally {
    followed.delete(id);
    run.end();
  }
}

function started(run: vscode.TestRun, item: vscode.TestItem | undefined): void {
  if (item) run.started(item);
}

/** "candidate 2/5, baseline 4/5" as a difference, shown at the harness line that changed. */
function messageOf(result: TaskResult, place: vscode.Location | undefined): vscode.TestMessage {
  const message =
    result.baseline === null
      ? new vscode.TestMessage(result.words)
      : vscode.TestMessage.diff(
          `${result.task}: ${result.judged} passed (baseline ${result.baseline})`,
          `baseline ${result.baseline}`,
          `candidate ${result.judged}`,
        );
  if (place) message.location = place;
  return message;
}

/** Where the first accepted hunk of the proposal lies in the file as it is now. */
async function changedPlace(services: Services, proposal: string | null): Promise<vscode.Location | undefined> {
  const { root } = services.harness;
  if (proposal === null || !root) return undefined;
  await services.proposals.ensure();
  const hunk = services.proposals
    .proposal(proposal)
    ?.hunks.find((each) => each.line !== null && (each.state === 'accepted' || each.state === 'applied'));
  if (!hunk || hunk.line === null) return undefined;
  return new vscode.Location(
    vscode.Uri.joinPath(vscode.Uri.file(root), hunk.file),
    new vscode.Position(hunk.line - 1, 0),
  );
}
