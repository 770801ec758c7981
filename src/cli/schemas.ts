import { z } from 'zod';
import { HarnessConfig } from '../core/harness';
import { schemaVersion } from './command';
import { DiagnoseDocument } from './commands/diagnose';
import { DoctorDocument } from './commands/doctor';
import { HandbookCheckDocument, HandbookDocument } from './commands/handbook';
import { IndexDocument } from './commands/indexHarness';
import { LinkDocument, SiteDocument } from './commands/link';
import { LocateDocument } from './commands/locate';
import { TraceDocument, TracesDocument } from './commands/traces';
import { DigestDocument } from './commands/tracesReading';
import { TailDocument } from './commands/tracesTail';

const documents = {
  index: IndexDocument,
  handbook: HandbookDocument,
  'handbook-check': HandbookCheckDocument,
  locate: LocateDocument,
  traces: TracesDocument,
  'traces-show': TraceDocument,
  'traces-digest': DigestDocument,
  'traces-tail': TailDocument,
  link: LinkDocument,
  'link-site': SiteDocument,
  diagnose: DiagnoseDocument,
  doctor: DoctorDocument,
};

/** JSON Schemas by file name: `harness` for harness.json, `cli-<command>` for the documents of the command line. */
export function jsonSchemas(): Record<string, unknown> {
  const schemas: Record<string, unknown> = { harness: z.toJSONSchema(HarnessConfig, { io: 'input' }) };
  for (const [name, document] of Object.entries(documents)) {
    schemas[`cli-${name}`] = z.toJSONSchema(document.extend({ schemaVersion: z.literal(schemaVersion) }));
  }
  return schemas;
}
