import { setImmediate } from 'node:timers/promises';
import { diagnoseRun, type Finding } from '../../core/diagnosis';
import { type Link, linkOneStep } from '../../core/links';
import type { TraceReader } from '../../core/traces';
import { longTrace } from '../traces/longTrace';
import { type IndexedHarnesses, linksOfRun } from './indexedHarnesses';

/** What the indexed harness knows about steps. All answers are empty for a harness that is not indexed. */
export interface LinkSource {
  /** Links of all steps of a run, best first for each step. */
  links(root: string, reader: TraceReader): Promise<Link[]>;
  /** Links of one step; does not wait for the whole run. */
  linksOfStep(root: string, reader: TraceReader, step: number): Promise<Link[]>;
  findings(root: string, reader: TraceReader): Promise<Finding[]>;
  /** The run has other steps now. */
  forget(run: string): void;
  /** Title of a unit for people. */
  unitTitle(root: string, unit: string): string | null;
}

/** Answers from the harnesses that are indexed in this worker. */
export class IndexedLinks implements LinkSource {
  constructor(private readonly harnesses: IndexedHarnesses) {}

  async links(root: string, reader: TraceReader): Promise<Link[]> {
    const indexed = this.harnesses.find(root);
    return indexed ? linksOfRun(indexed, reader) : [];
  }

  async linksOfStep(root: string, reader: TraceReader, step: number): Promise<Link[]> {
    const indexed = this.harnesses.find(root);
    if (!indexed) return [];
    const whole = await readyOr(linksOfRun(indexed, reader), null, reader.stepCount > longTrace);
    return whole ? whole.filter((link) => link.step === step) : linkOneStep(indexed.linkIndex, reader, step);
  }

  async findings(root: string, reader: TraceReader): Promise<Finding[]> {
    const indexed = this.harnesses.find(root);
    if (!indexed) return [];
    const { run } = reader;
    const key = `${run.id}\n${run.outcome.verdict}`;
    const known = indexed.findings.get(key);
    if (known) return known;
    const links = await linksOfRun(indexed, reader);
    const finding = diagnoseRun({ run, reader, links, map: indexed.map });
    indexed.findings.set(key, finding);
    finding.catch(() => indexed.findings.delete(key));
    return finding;
  }

  forget(run: string): void {
    this.harnesses.forgetRun(run);
  }

  unitTitle(root: string, unit: string): string | null {
    return this.harnesses.find(root)?.map.units.find((one) => one.id === unit)?.title ?? null;
  }
}

/** The value of a promise; with `impatient` the other value when it is not settled yet. */
export function readyOr<T, E>(promise: Promise<T>, otherwise: E, impatient: boolean): Promise<T | E> {
  return impatient ? Promise.race([promise, setImmediate(otherwise)]) : promise;
}
