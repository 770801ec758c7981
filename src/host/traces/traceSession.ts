import { FromTracePage, messageLimit, type ToTracePage, type TraceRow } from '../../../webview/shared/protocol';
import type { Finding } from '../../core/diagnosis/model';
import type { TraceRun } from '../../core/traces/model';
import { type Log, userMessage } from '../log';
import type { SitePlace } from '../tree/treeNode';
import type { Work } from '../work/workClient';
import { longTrace } from './longTrace';
import { traceHead } from './traceHead';

/** What a trace page needs around it. */
export interface TraceSurroundings {
  work: Work;
  log: Log;
  /** Root of the indexed harness, null while there is none. */
  harnessRoot(): string | null;
  /** Runs of the catalog, with the outcomes found beside them. */
  knownRuns(): readonly TraceRun[];
  post(message: ToTracePage): void;
  /** Shows harness code beside the page; false when it could not. */
  showCode(root: string, place: SitePlace, focus: boolean): Promise<boolean>;
  /** True while the code shown before is still there to be moved. */
  codeIsShown(): boolean;
  openSource(file: string): Promise<void>;
}

/** One open trace page: answers its messages with windows of rows and single texts. */
export class TraceSession {
  private runs: readonly TraceRun[] = [];
  private run: TraceRun | null = null;
  private findings: readonly Finding[] = [];
  private wanted: { run: string; step?: number } | null = null;
  private opening: Promise<void> | null = null;
  private latestSelect = 0;

  constructor(
    private readonly file: string,
    private readonly around: TraceSurroundings,
  ) {}

  /** Goes to a run and step, now or as soon as the page is ready. */
  async goTo(run: string, step: number | undefined): Promise<void> {
    this.wanted = { run, step };
    if (!this.opening) return;
    await this.opening;
    if (this.run?.id !== run) await this.openRun(run);
    if (step !== undefined) this.around.post({ type: 'goTo', n: step });
  }

  /** Takes one message of the page. Failures are shown in the page and logged, never thrown. */
  async receive(raw: unknown): Promise<void> {
    const message = FromTracePage.safeParse(raw);
    if (!message.success) {
      this.around.log.error('The trace page sent an unknown message', message.error);
      return;
    }
    try {
      await this.answer(message.data);
    } catch (error) {
      const shown = userMessage(error);
      this.around.log.error(`The trace page of ${this.file}: ${message.data.type}`, error);
      if (shown) this.around.post({ type: 'failed', message: shown.text, nextStep: shown.nextStep });
    }
  }

  /** Links or findings changed: new head, and the page asks for its rows again. */
  async refresh(): Promise<void> {
    if (!this.run) return;
    await this.postHead(this.run);
    this.around.post({ type: 'stale' });
  }

  async close(): Promise<void> {
    if (this.run) await this.around.work.call('closeRun', { run: this.run.id });
  }

  private async answer(message: FromTracePage): Promise<void> {
    const { work, post } = this.around;
    if (message.type === 'ready') {
      this.opening = this.open(message.run);
      return this.opening;
    }
    const run = this.run;
    if (!run) return;
    switch (message.type) {
      case 'rows': {
        const rows = await work.call('rows', {
          root: this.around.harnessRoot(),
          run: run.id,
          from: message.from,
          to: message.to,
        });
        for (const part of splitRows(rows)) post({ type: 'rows', from: part[0]!.n, rows: part });
        return;
      }
      case 'body':
        return post({
          type: 'body',
          n: message.n,
          parts: await work.call('stepBody', { run: run.id, step: message.n }),
        });
      case 'search': {
        const found = await work.call('findSteps', { run: run.id, filter: message.filter });
        return post({ type: 'found', request: message.request, ...found });
      }
      case 'select':
        return this.follow(run, message.n);
      case 'openCode':
        return this.openCode(run, message.n, message.link, message.focus);
      case 'nextError':
        return this.nextError(run, message.n, message.direction);
      case 'chooseRun':
        return this.openRun(message.run);
      case 'openSource':
        return this.around.openSource(run.file);
    }
  }

  private async open(restored: string | null): Promise<void> {
    const known = this.around.knownRuns().filter((run) => run.file === this.file);
    this.runs = known.length ? known : (await this.around.work.call('readTraceFile', { file: this.file })).runs;
    const id = this.wanted?.run ?? restored;
    const first = this.runs.find((run) => run.id === id) ?? this.runs[0];
    if (!first) return this.explainUnknown();
    await this.openRun(first.id);
    // A page that was restored keeps its own place unless somebody asked for a step.
    if (this.wanted?.step !== undefined) this.around.post({ type: 'goTo', n: this.wanted.step });
  }

  private async explainUnknown(): Promise<void> {
    const { unknown } = await this.around.work.call('readTraceFile', { file: this.file });
    this.around.post({
      type: 'failed',
      message: `This file was not recognised as a trace: ${unknown[0]?.reason ?? 'no reader took it'}.`,
      nextStep: 'Reopen it with the text editor to look at it.',
    });
  }

  private async openRun(id: string): Promise<void> {
    const run = this.runs.find((one) => one.id === id);
    if (!run) return;
    await this.around.work.call('openRun', { run });
    this.run = run;
    await this.postHead(run);
  }

  private async postHead(run: TraceRun): Promise<void> {
    const { work } = this.around;
    const root = this.around.harnessRoot();
    const { stepCount } = await work.call('openRun', { run });
    const linksMissing = root
      ? null
      : 'No harness is indexed in this window, so steps do not lead to code. Open its folder.';
    const head = { run, stepCount, findings: [] as readonly Finding[], lastError: null, linksMissing, runs: this.runs };
    const long = stepCount > longTrace;
    if (long) this.around.post({ type: 'head', head: traceHead(head) });
    const [findings, errors] = await Promise.all([
      work.call('runFindings', { root, run: run.id }),
      work.call('findSteps', { run: run.id, filter: { text: '', kinds: [], errorsOnly: true } }),
    ]);
    if (this.run !== run) return;
    this.findings = findings;
    const lastError = errors.steps.at(-1) ?? null;
    this.around.post({ type: 'head', head: traceHead({ ...head, findings, lastError }) });
    // The first rows of a long trace were shown before its links were known.
    if (long) this.around.post({ type: 'stale' });
  }

  private async openCode(run: TraceRun, step: number, index: number, focus: boolean): Promise<void> {
    const root = this.around.harnessRoot();
    const links = root ? await this.around.work.call('stepLinks', { root, run: run.id, step }) : [];
    const place = links[index];
    if (root && place) await this.around.showCode(root, place, focus);
  }

  /** Moves the code beside with the highlight. Only the newest step counts when keys are held down. */
  private async follow(run: TraceRun, step: number): Promise<void> {
    const ticket = ++this.latestSelect;
    const root = this.around.harnessRoot();
    if (!root || !this.around.codeIsShown()) return;
    const [place] = await this.around.work.call('stepLinks', { root, run: run.id, step });
    if (place && ticket === this.latestSelect) await this.around.showCode(root, place, false);
  }

  private async nextError(run: TraceRun, from: number, direction: 1 | -1): Promise<void> {
    const { steps } = await this.around.work.call('findSteps', {
      run: run.id,
      filter: { text: '', kinds: [], errorsOnly: true },
    });
    const all = [...new Set([...steps, ...this.findings.flatMap((finding) => finding.steps)])].sort((a, b) => a - b);
    const next = direction === 1 ? all.find((n) => n > from) : all.findLast((n) => n < from);
    if (next === undefined) return;
    this.around.post({ type: 'goTo', n: next });
    await this.follow(run, next);
  }
}

/** Cuts a window of rows into messages that stay below the limit. A row alone is always below it. */
export function splitRows(rows: readonly TraceRow[], limit = messageLimit): TraceRow[][] {
  const parts: TraceRow[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    if (size + length > limit * 0.9) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(row);
    size += length;
  }
  return parts;
}
