import type { Finding } from '../../core/diagnosis/model';
import type { Link } from '../../core/links/model';
import type { TraceReader } from '../../core/traces';

/** What the indexed harness knows about steps. All answers are empty for a harness that is not indexed. */
export interface LinkSource {
  /** Links of the steps `from` to `to`, best first for each step. */
  links(root: string, reader: TraceReader, from: number, to: number): Promise<Link[]>;
  findings(root: string, reader: TraceReader): Promise<Finding[]>;
  /** Title of a unit for people. */
  unitTitle(root: string, unit: string): string | null;
}
