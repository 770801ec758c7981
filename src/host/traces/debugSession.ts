import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { resolveInside } from '../../core/harness';
import type { TraceRun } from '../../core/traces/model';
import { registerCommand } from '../commands';
import { DisposableStore } from '../disposable';
import { customEditorId } from '../ids';
import type { HostContribution, Services } from '../services';
import { pickRun } from './runPick';
import { stepTarget } from './traceCommands';
import { type DebugMessage, type DebugPlace, type DebugRequest, TraceDebugger } from './traceDebug';
import { runName } from './words';

/** Stepping through a trace with the debugger's own keys and views. */
export const debugContribution: HostContribution = {
  name: 'stepping through a trace',
  activate(services: Services) {
    const store = new DisposableStore();
    store.add(
      registerCommand('harnessmith.debugTrace', services.log, async (node) => {
        await services.traces.ensure();
        const given = stepTarget(node);
        const run = given
          ? services.traces.run(given.run)
          : await pickRun(services.traces.catalog?.runs ?? [], 'Step through which trace?');
        if (!run) return undefined;
        const configuration = {
          type: debugType,
          request: 'launch',
          name: runName(run),
          run: run.id,
          step: given?.step ?? 1,
        };
        return vscode.debug.startDebugging(undefined, configuration);
      }),
    );
    store.add(
      vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
        createDebugAdapterDescriptor: (session) =>
          new vscode.DebugAdapterInlineImplementation(new TraceAdapter(services, session.configuration)),
      }),
    );
    return store;
  },
};

const debugType = 'harnessmith-trace';

/** Whether a trace page has the file open, and needs its reader. */
function isShown({ file }: TraceRun): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(
    ({ input }) =>
      input instanceof vscode.TabInputCustom && input.viewType === customEditorId && input.uri.fsPath === file,
  );
}

/** One session: reads the trace through the worker; a page that shows the run goes along. */
class TraceAdapter implements vscode.DebugAdapter {
  private readonly messages = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.messages.event;
  private readonly ready: Promise<TraceDebugger>;
  private run: TraceRun | null = null;
  private order: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    configuration: vscode.DebugConfiguration,
  ) {
    this.ready = this.open(String(configuration.run ?? ''), Number(configuration.step ?? 1));
    // Told with the first answer; until then it is nobody's.
    this.ready.catch(() => undefined);
  }

  /** Requests are answered in their order: a look at variables must not see the next stop. */
  handleMessage(message: vscode.DebugProtocolMessage): void {
    const request = message as unknown as DebugRequest;
    this.order = this.order.then(() => this.answer(request));
  }

  private async answer(request: DebugRequest): Promise<void> {
    try {
      await (await this.ready).handle(request);
    } catch (error) {
      const body = { error: { id: 1, format: error instanceof Error ? error.message : String(error) } };
      this.send({ type: 'response', request_seq: request.seq, seq: 0, command: request.command, success: false, body });
    }
  }

  dispose(): void {
    this.messages.dispose();
    const { run } = this;
    this.run = null;
    if (run && !isShown(run)) void this.services.work.call('closeRun', { run: run.id }).catch(() => undefined);
  }

  private send(message: DebugMessage): void {
    this.messages.fire(message as unknown as vscode.DebugProtocolMessage);
  }

  private async open(id: string, start: number): Promise<TraceDebugger> {
    await this.services.traces.ensure();
    const run = this.services.traces.run(id);
    if (!run) {
      throw new InputError(`There is no trace ${id} in the list.`, {
        code: 'trace-unknown',
        nextStep: 'Import it first.',
      });
    }
    const { work } = this.services;
    const opened = () => work.call('openRun', { run });
    const { stepCount } = await opened();
    this.run = run;
    return new TraceDebugger(
      {
        run,
        stepCount,
        step: async (n) => {
          await opened();
          return work.call('wholeStep', { run: run.id, step: n });
        },
        places: (n) => this.places(run, n),
        stoppedAt: (n) => this.services.traces.stopAt({ run: run.id, step: n }),
        callers: this.callers(run),
      },
      (message) => this.send(message),
      start,
    );
  }

  private async places(run: TraceRun, step: number): Promise<DebugPlace[]> {
    const { root } = this.services.harness;
    if (!root || !this.services.harness.map) return [];
    const links = await this.services.work.call('stepLinks', { root, run: run.id, step });
    return links.map(({ file, start, symbol }) => ({ path: resolveInside(root, file), line: start, symbol }));
  }

  /** Runs that started this one: its callers, the nearest first. */
  private callers(run: TraceRun): { name: string; place: DebugPlace | null }[] {
    const callers: { name: string; place: null }[] = [];
    const seen = new Set([run.id]);
    for (let one = this.parent(run); one && !seen.has(one.id); one = this.parent(one)) {
      seen.add(one.id);
      callers.push({ name: `started by ${runName(one)}`, place: null });
    }
    return callers;
  }

  private parent({ memberOf, file }: TraceRun): TraceRun | undefined {
    const { catalog } = this.services.traces;
    if (memberOf) return catalog?.runs.find((run) => run.id === memberOf);
    return catalog?.runs.find((run) =>
      run.memberFiles?.some((member) => (isAbsolute(member) ? member === file : file.endsWith(member))),
    );
  }
}
