import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runCli } from './runCli';

const schemas = join(import.meta.dirname, '../../../docs/schema');

/** The published JSON Schema of a document, as something that checks. */
export function publishedSchema(name: string): z.ZodType {
  return z.fromJSONSchema(JSON.parse(readFileSync(join(schemas, `cli-${name}.schema.json`), 'utf8')));
}

/**
 * Runs a command with --json in a folder and checks the document against the schema published for it: programs that
 * call the command line read the schemas, not the code.
 */
export async function documentOf(schema: string, folder: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await runCli(...args, '-C', folder, '--json');
  const document = JSON.parse(stdout);
  publishedSchema('error' in document ? 'error' : schema).parse(document);
  return { document, stderr, exitCode };
}

/** The same for people: what is printed on standard output, with the exit code. */
export async function textOf(folder: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await runCli(...args, '-C', folder);
  return { text: stdout, stderr, exitCode };
}
