import { z } from 'zod';
import { GraphExport } from '../core/graph';
import { HandbookExport, HandbookOverlay } from '../core/handbook';
import { HarnessConfig } from '../core/harness';
import { PriceFile } from '../core/models';
import { ErrorDocument, schemaVersion } from './command';
import { CompareDocument } from './commands/compare';
import { DiagnoseDocument } from './commands/diagnose';
import { DoctorDocument } from './commands/doctor';
import { HandbookCheckDocument, HandbookDocument } from './commands/handbook';
import { HandbookEditDocument } from './commands/handbookEdit';
import { IndexDocument } from './commands/indexHarness';
import { LinkDocument, SiteDocument } from './commands/link';
import { LocateDocument } from './commands/locate';
import { ApplyDocument, ProposalsDocument, UndoDocument } from './commands/proposals';
import { ProposalCheckDocument } from './commands/proposalsCheck';
import { DifferenceDocument, ExportDocument } from './commands/proposalsExchange';
import { ProposeDocument } from './commands/propose';
import { RecordDocument } from './commands/record';
import {
  CancelDocument,
  CleanDocument,
  GainDocument,
  OverrideDocument,
  RunDocument,
  RunsDocument,
} from './commands/runs';
import { SuiteDocument } from './commands/suite';
import { TracesDocument } from './commands/traces';
import { TracesCompareDocument } from './commands/tracesCompare';
import { DigestDocument } from './commands/tracesReading';
import { TraceDocument } from './commands/tracesShow';
import { TailDocument } from './commands/tracesTail';
import { ValidateDocument } from './commands/validate';
import { WorkerDocument } from './commands/worker';
import { ProposalDocument } from './proposalDocument';

const documents = {
  index: IndexDocument,
  'index-export': GraphExport,
  handbook: HandbookDocument,
  'handbook-check': HandbookCheckDocument,
  'handbook-edit': HandbookEditDocument,
  locate: LocateDocument,
  traces: TracesDocument,
  'traces-show': TraceDocument,
  'traces-digest': DigestDocument,
  'traces-compare': TracesCompareDocument,
  'traces-tail': TailDocument,
  link: LinkDocument,
  'link-site': SiteDocument,
  record: RecordDocument,
  diagnose: DiagnoseDocument,
  propose: ProposeDocument,
  proposals: ProposalsDocument,
  'proposals-show': ProposalDocument,
  'proposals-apply': ApplyDocument,
  'proposals-undo': UndoDocument,
  'proposals-export': ExportDocument,
  'proposals-check': ProposalCheckDocument,
  'proposals-diff': DifferenceDocument,
  'suite-new': SuiteDocument,
  validate: ValidateDocument,
  compare: CompareDocument,
  runs: RunsDocument,
  'runs-show': RunDocument,
  'runs-gain': GainDocument,
  'runs-cancel': CancelDocument,
  'runs-override': OverrideDocument,
  'runs-clean': CleanDocument,
  worker: WorkerDocument,
  doctor: DoctorDocument,
  error: ErrorDocument,
};

/**
 * JSON Schemas by file name: `harness` for harness.json, `prices` for prices.json, `handbook` for the handbook as JSON, `handbook-overlay` for
 * handbook.json, `cli-<command>` for the
 * documents of the command line.
 */
export function jsonSchemas(): Record<string, unknown> {
  const schemas: Record<string, unknown> = {
    harness: z.toJSONSchema(HarnessConfig, { io: 'input' }),
    handbook: z.toJSONSchema(HandbookExport),
    'handbook-overlay': z.toJSONSchema(HandbookOverlay),
    prices: z.toJSONSchema(PriceFile, { io: 'input' }),
  };
  for (const [name, document] of Object.entries(documents)) {
    schemas[`cli-${name}`] = z.toJSONSchema(document.extend({ schemaVersion: z.literal(schemaVersion) }));
  }
  return schemas;
}
