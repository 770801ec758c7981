import { resolve } from 'node:path';
import { z } from 'zod';
import { exportGraph, indexHarness, type ProgramGraph } from '../../core/graph';
import { openHarness } from '../../core/harness';
import { writeFileAtomic } from '../../core/store';
import { type Answer, answerWith, newCommand, schemaVersion } from '../command';
import { counted } from '../words';

export const IndexDocument = z.object({
  harness: z.string(),
  root: z.string(),
  files: z.int(),
  /** Those of them in a language whose functions are read. */
  codeFiles: z.int(),
  parsed: z.int(),
  reused: z.int(),
  functions: z.int(),
  classes: z.int(),
  calls: z.object({ resolved: z.int(), unresolved: z.int() }),
  prompts: z.int(),
  tools: z.int(),
  milliseconds: z.number(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Files with places that their parser cannot read, and how many such places; around them less is known. */
  syntaxErrors: z.array(z.object({ path: z.string(), places: z.int() })),
  /** The folder may only be read: the index was not kept. */
  inMemory: z.literal(true).optional(),
  perLanguage: z.record(z.string(), z.object({ files: z.int(), functions: z.int(), lines: z.int() })).optional(),
  /** Where the graph was written, with its size. */
  exported: z.object({ file: z.string(), nodes: z.int(), edges: z.int() }).optional(),
});
type IndexDocument = z.infer<typeof IndexDocument>;

/** Files with syntax errors that are named without --json. */
const shownErrors = 5;

const codeLanguages = new Set(['python', 'typescript', 'tsx', 'javascript', 'go', 'rust']);

/** `harnessmith index [dir]`: builds or refreshes the program graph. */
export function indexCommand() {
  const command = newCommand('index', 'build or refresh the program graph; prints counts and time')
    .argument('[dir]', 'repository of the harness')
    .option('--stats', 'add numbers for each language')
    .option('--export <file>', 'write all nodes and edges as JSON');
  answerWith(command, async (context, dir?: string): Promise<Answer<IndexDocument>> => {
    const harness = await openHarness(dir ?? context.folder);
    const { graph, stats } = await indexHarness(harness, context);
    const count = (kind: string) => graph.data.nodes.filter((node) => node.kind === kind).length;
    const options = command.opts<{ stats?: boolean; export?: string }>();
    const exported = options.export === undefined ? undefined : await writeGraph(graph, resolve(options.export));
    const document: IndexDocument = {
      harness: harness.name,
      root: harness.root,
      files: stats.files,
      codeFiles: graph.data.files.filter(({ language }) => codeLanguages.has(language)).length,
      parsed: stats.parsed,
      reused: stats.reused,
      functions: stats.functions,
      classes: stats.classes,
      calls: { resolved: stats.resolved, unresolved: stats.unresolved },
      prompts: count('prompt'),
      tools: count('tool'),
      milliseconds: Math.round(stats.milliseconds),
      skipped: stats.skipped,
      syntaxErrors: graph.data.files.flatMap(({ path, parseErrors }) =>
        parseErrors > 0 ? { path, places: parseErrors } : [],
      ),
      ...(stats.inMemory ? { inMemory: true } : {}),
      ...(options.stats ? { perLanguage: stats.perLanguage } : {}),
      ...(exported ? { exported } : {}),
    };
    return { document, text: describe(document) };
  });
  return command;
}

async function writeGraph(graph: ProgramGraph, file: string): Promise<NonNullable<IndexDocument['exported']>> {
  const document = exportGraph(graph);
  await writeFileAtomic(file, `${JSON.stringify({ schemaVersion, ...document })}\n`);
  return { file, nodes: document.nodes.length, edges: document.edges.length };
}

function describe(d: IndexDocument): string {
  const calls = d.calls.resolved + d.calls.unresolved;
  const lines = [
    `${d.harness}: ${counted(d.files, 'file')} (${d.codeFiles} with code), ${counted(d.functions, 'function')}, ${counted(d.classes, 'class', 'classes')}, ${counted(d.prompts, 'prompt')}, ${counted(d.tools, 'tool')}.`,
    `${d.calls.resolved} of ${calls} calls resolved. ${counted(d.parsed, 'file')} parsed, ${d.reused} unchanged, ${(d.milliseconds / 1000).toFixed(2)} s.`,
  ];
  for (const [language, numbers] of Object.entries(d.perLanguage ?? {})) {
    lines.push(
      `  ${language}: ${counted(numbers.files, 'file')}, ${counted(numbers.functions, 'function')}, ${counted(numbers.lines, 'line')}`,
    );
  }
  if (d.exported) lines.push(`${d.exported.nodes} nodes and ${d.exported.edges} edges written to ${d.exported.file}`);
  for (const { path, reason } of d.skipped.slice(0, 20)) lines.push(`  left out: ${path}: ${reason}`);
  if (d.skipped.length > 20) lines.push(`  and ${d.skipped.length - 20} more left out (--json lists all)`);
  if (d.syntaxErrors.length > 0) {
    lines.push(`${counted(d.syntaxErrors.length, 'file')} with places that cannot be parsed:`);
    for (const { path, places } of d.syntaxErrors.slice(0, shownErrors))
      lines.push(`  ${path}: ${counted(places, 'place')}`);
    const more = d.syntaxErrors.length - shownErrors;
    if (more > 0) lines.push(`  and ${more} more (--json lists all)`);
  }
  if (d.inMemory) lines.push('The folder can only be read, so the index was not kept.');
  if (d.functions === 0) {
    lines.push(
      'No function in Python, TypeScript, JavaScript, Rust or Go was found. Check "roots" and "exclude" in .harnessmith/harness.json.',
    );
  }
  return lines.join('\n');
}
