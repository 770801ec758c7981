import { diagnoseRun, type Finding } from '../../core/diagnosis';
import type { Link } from '../../core/links';
import type { TraceReader } from '../../core/traces';
import { type IndexedHarnesses, linksOfRun } from './indexedHarnesses';

/** What the indexed harness knows about steps. All answers are empty for a harness that is not indexed. */
export interface LinkSource {
  /** Links of the steps `from` to `to`, best first for each step. */
  links(root: string, reader: TraceReader, from: number, to: number): Promise<Link[]>;
  findings(root: string, reader: TraceReader): Promise<Finding[]>;
  /** Title of a unit for people. */
  unitTitle(root: string, unit: string): string | null;
}

/** Answers from the harnesses that are indexed in this worker. */
export class IndexedLinks implements LinkSource {
  constructor(private readonly harnesses: IndexedHarnesses) {}

  async links(root: string, reader: TraceReader, from: number, to: number): Promise<Link[]> {
    const indexed = this.harnesses.find(root);
    if (!indexed) return [];
    const links = await linksOfRun(indexed, reader);
    return links.filter((link) => from <= link.step && link.step <= to);
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

  unitTitle(root: string, unit: string): string | null {
    return this.harnesses.find(root)?.map.units.find((one) => one.id === unit)?.title ?? null;
  }
}
