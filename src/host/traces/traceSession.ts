import { setTimeout } from 'node:timers/promises';
import { FromTracePage } from '../../../webview/shared/protocol';
import type { Finding } from '../../core/diagnosis/model';
import type { TraceRun } from '../../core/traces/model';
import { type Log, userMessage } from '../log';
import type { SitePlace } from '../tree/treeNode';
import { CompareSession, type CompareSurroundings } from './compareSession';
import { longTrace } from './longTrace';
import { outlineParts, splitRows } from './messageParts';
import { traceHead } from './traceHead';
import { TraceSearch } from './traceSearch';
import { runName } from './words';

/** Longest wait for the page to ask for its first rows. */
const rowsWaitMilliseconds = 1500;

/** Looks without growth after which a run counts as finished for now. */
const looksToSettle = 5;

export interface TitledText {
  title: string;
  text: string;
}

/** What a trace page needs around it. */
export interface TraceSurroundings extends CompareSurroundings {
  log: Log;
  /** Shows harness code beside the page; false when it could not. */
  showCode(root: string, place: SitePlace, focus: boolean): Promise<boolean>;
  /** Takes the mark off the code beside: the step leads nowhere. */
  clearCode(): void;
  /** True while the code shown before is still there to be moved. */
  codeIsShown(): boolean;
  openSource(file: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Opens the page of another run. */
  openRun(run: string): Promise<void>;
  /** Address that opens the page of a run at a step, from outside the editor too. */
  linkTo(run: string, step: number): string;
  /** Shows two texts beside each other with what differs. */
  showDifference(left: TitledText, right: TitledText): void;
}

/** One open trace page: answers its messages with windows of rows and single texts. */
export class TraceSession {
  private runs: readonly TraceRun[] = [];
  private run: TraceRun | null = null;
  private findings: readonly Finding[] = [];
  private wanted: { run: string; step?: number } | null = null;
  private opening: Promise<void> | null = null;
  private rowsSeen: () => void = () => undefined;
  private readonly firstRows = new Promise<void>((resolve) => {
    this.rowsSeen = resolve;
  });
  private looking = false;
  /** Looks since the file last grew. */
  private quiet = 0;
  private wantedOther: string | null = null;
  private latestSelect = 0;
  private stepCount = 0;
  /** Steps with an error; known once all steps were gone through. */
  private errors: Promise<readonly number[]> = Promise.resolve([]);
  private readonly search: TraceSearch;
  private readonly comparison: CompareSession;

  constructor(
    private readonly file: string,
    private readonly around: TraceSurroundings,
  ) {
    this.search = new TraceSearch(around.work, (message) => around.post(message));
    this.comparison = new CompareSession(around);
  }

  /** Goes to a run and step, now or as soon as the page is ready. */
  async goTo(run: string, step: number | undefined): Promise<void> {
    this.wanted = { run, step };
    if (!this.opening) return;
    await this.opening;
    if (this.run?.id !== run) await this.openRun(run);
    if (step !== undefined) this.around.post({ type: 'goTo', n: step });
  }

  /** Lays another run beside this one, now or as soon as the page is ready. */
  async compare(run: string, other: string): Promise<void> {
    await this.goTo(run, undefined);
    if (!this.opening) this.wantedOther = other;
    else if (this.run) await this.comparison.start(this.run, other);
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

  /**
   * Looks whether the file grew; called again and again while the page is seen. A failure is logged: a file that is just
   * being written may be whole a second later.
   */
  async look(): Promise<void> {
    const { run } = this;
    if (!run || this.looking) return;
    this.looking = true;
    try {
      const settle = ++this.quiet === looksToSettle;
      const { state, stepCount } = await this.around.work.call('growRun', { run, settle });
      if (state === 'same' || this.run !== run) return;
      if (!settle) this.quiet = 0;
      this.stepCount = stepCount;
      this.around.post({ type: 'grew', stepCount });
      // Outline, links and findings of a long run wait until it is quiet.
      if (settle || stepCount <= longTrace) await this.refresh();
    } catch (error) {
      this.around.log.debug(`Looking whether ${this.file} grew: ${String(error)}`);
    } finally {
      this.looking = false;
    }
  }

  /** Links or findings changed: new head, and the page asks for its rows again. */
  async refresh(): Promise<void> {
    if (!this.run) return;
    await this.postHead(this.run);
    this.around.post({ type: 'stale' });
  }

  async close(): Promise<void> {
    this.search.cancel();
    await this.comparison.leave();
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
        this.rowsSeen();
        return;
      }
      case 'body':
        return post({
          type: 'body',
          n: message.n,
          ...(await work.call('stepBody', { run: run.id, step: message.n })),
        });
      case 'raw':
        return post({
          type: 'raw',
          n: message.n,
          raw: await work.call('stepRaw', { run: run.id, step: message.n }),
        });
      case 'image': {
        const { n, index } = message;
        const image = await work.call('stepImage', { run: run.id, step: n, index });
        return image ? post({ type: 'image', n, index, image }) : undefined;
      }
      case 'copy':
        return this.copy(run, message.n, message.as);
      case 'search': {
        const about = { root: this.around.harnessRoot(), run: run.id, stepCount: this.stepCount };
        return this.search.start(about, message.request, message.filter);
      }
      case 'select':
        return this.follow(this.runOf(run, message.other), message.n);
      case 'openCode':
        return this.openCode(this.runOf(run, message.other), message.n, message.link, message.focus);
      case 'openRun':
        return this.openStarted(run, message.run);
      case 'compare':
        return this.comparison.start(run, message.run);
      case 'otherRows':
        return this.comparison.rows(message.from, message.to);
      case 'leaveCompare':
        return this.comparison.leave();
      case 'difference':
        return this.difference(run, message);
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
    const other = this.wantedOther;
    this.wantedOther = null;
    if (other && this.run) await this.comparison.start(this.run, other);
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
    this.stepCount = stepCount;
    const linksMissing = root
      ? null
      : 'No harness is indexed in this window, so steps do not lead to code. Open its folder.';
    const head = { run, stepCount, findings: [] as readonly Finding[], lastError: null, linksMissing, runs: this.runs };
    const long = stepCount > longTrace;
    if (long) {
      this.around.post({ type: 'head', head: traceHead(head) });
      // One worker does it all; what goes through the whole run must not stand before the first rows.
      await Promise.race([this.firstRows, setTimeout(rowsWaitMilliseconds)]);
      if (this.run !== run) return;
    }
    const outline = work.call('outline', { run: run.id });
    this.errors = outline.then((told) => told.errors);
    // Whoever asks for the errors is told of a failure; until then it is nobody's.
    this.errors.catch(() => undefined);
    const [findings, told] = await Promise.all([work.call('runFindings', { root, run: run.id }), outline]);
    if (this.run !== run) return;
    this.findings = findings;
    this.around.post({ type: 'head', head: traceHead({ ...head, findings, lastError: told.errors.at(-1) ?? null }) });
    for (const part of outlineParts(told)) this.around.post(part);
    this.around.post({ type: 'units', units: await work.call('runUnits', { root, run: run.id }) });
    // The first rows of a long trace were shown before its links and relations were known.
    if (!long) return;
    this.around.post({ type: 'stale' });
    await work.call('relate', { run: run.id });
    this.around.post({ type: 'stale' });
  }

  /** Formats name a started run by its id, its session or its file. */
  private async openStarted(from: TraceRun, name: string): Promise<void> {
    const fits = (one: TraceRun) =>
      one.id !== from.id && (one.id === name || one.sessionId === name || one.file.includes(name));
    const run = this.runs.find(fits) ?? this.around.knownRuns().find(fits);
    if (run) await this.around.openRun(run.id);
    else this.around.post({ type: 'said', words: `The run ${name} is not in the list; import it to open it.` });
  }

  private runOf(run: TraceRun, other: boolean): TraceRun {
    return (other ? this.comparison.run : null) ?? run;
  }

  private async difference(run: TraceRun, asked: Extract<FromTracePage, { type: 'difference' }>): Promise<void> {
    const { work } = this.around;
    const { n, other } = asked;
    const of = async (place: { n: number; other: boolean }): Promise<TitledText> => {
      const { id, ...whole } = this.runOf(run, place.other);
      const text = await work.call('stepText', { run: id, step: place.n, as: 'text' });
      return { title: `${runName({ id, ...whole })} step ${place.n}`, text };
    };
    const before = asked.base ? null : await work.call('promptBefore', { run: this.runOf(run, other).id, step: n });
    const base = asked.base ?? (before === null ? null : { n: before, other });
    if (!base) {
      this.around.post({ type: 'said', words: `No earlier step speaks as step ${n} does, so there is no difference.` });
      return;
    }
    this.around.showDifference(await of(base), await of({ n, other }));
  }

  private async copy(run: TraceRun, step: number, as: 'markdown' | 'json' | 'link'): Promise<void> {
    const text =
      as === 'link'
        ? this.around.linkTo(run.id, step)
        : await this.around.work.call('stepText', { run: run.id, step, as });
    await this.around.copy(text);
    const what = { markdown: 'Markdown', json: 'JSON', link: 'a link' }[as];
    this.around.post({ type: 'said', words: `Step ${step} was copied as ${what}.` });
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
    if (ticket !== this.latestSelect) return;
    if (place) await this.around.showCode(root, place, false);
    else this.around.clearCode();
  }

  private async nextError(run: TraceRun, from: number, direction: 1 | -1): Promise<void> {
    const marked = [...(await this.errors), ...this.findings.flatMap((finding) => finding.steps)];
    const all = [...new Set(marked)].sort((a, b) => a - b);
    const next = direction === 1 ? all.find((n) => n > from) : all.findLast((n) => n < from);
    if (next === undefined) return;
    this.around.post({ type: 'goTo', n: next });
    await this.follow(run, next);
  }
}
