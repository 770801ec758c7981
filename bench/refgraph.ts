/**
 * Compares the exported program graph with a published one, call by call.
 *
 *   npm run bench:refgraph -- --tree DIR --graph graph.json [--show-extra]
 *
 * `--graph` is a `graph.json` of a Harness Handbook: `{nodes, edges}`, perhaps under `graph`, where a node is `internal`
 * (`file`, `qualname`, `synthetic`) or `boundary` (`qualname`), and an edge has `caller_id`, `callee_id`, `line`, `raw`. `--tree` is
 * the source it was made from. Printed: functions, internal calls and boundary calls found, every difference, and with
 * `--show-extra` the calls that only this graph has. Exit code 1 when a share is under its bar.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { exportGraph, type GraphExport, indexHarness } from '../src/core/graph';
import { openHarness } from '../src/core/harness';

const ReferenceNode = z.object({
  id: z.string(),
  kind: z.enum(['internal', 'boundary']),
  qualname: z.string(),
  file: z.string().optional(),
  synthetic: z.boolean().optional(),
});
const ReferenceGraph = z.object({
  nodes: z.union([z.array(ReferenceNode), z.record(z.string(), ReferenceNode).transform((all) => Object.values(all))]),
  edges: z.array(z.object({ caller_id: z.string(), callee_id: z.string(), line: z.int(), raw: z.string() })),
});
type ReferenceGraph = z.infer<typeof ReferenceGraph>;

/** The least share of functions, internal calls and boundary calls that must be found. */
const bars = { functions: 1, internal: 0.95, boundary: 0.9 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { tree: { type: 'string' }, graph: { type: 'string' }, 'show-extra': { type: 'boolean', default: false } },
  });
  if (!values.tree || !values.graph) throw new Error('Give --tree DIR and --graph FILE.');
  const text: unknown = JSON.parse(await readFile(values.graph, 'utf8'));
  const inner = z.object({ graph: z.unknown() }).safeParse(text);
  const reference = ReferenceGraph.parse(inner.success ? inner.data.graph : text);
  const { graph, stats } = await indexHarness(await openHarness(values.tree));
  const { calls, resolved, external, unresolved } = stats;
  console.log(
    `${calls} calls: ${resolved} resolved, ${external} of libraries and built-in types, ${unresolved} unresolved`,
  );
  const compared = compare(reference, exportGraph(graph));
  for (const [name, { found, missing }] of Object.entries(compared.parts)) {
    const all = found + missing.length;
    console.log(`${name}: ${found} of ${all} (${((100 * found) / Math.max(1, all)).toFixed(1)} %)`);
    for (const line of missing) console.log(`  missing  ${line}`);
    if (found < all * bars[name as keyof typeof bars]) process.exitCode = 1;
  }
  console.log(`found at another line than the published one: ${compared.moved}`);
  console.log(`calls only in this graph: ${compared.extra.length}`);
  if (values['show-extra']) for (const line of compared.extra) console.log(`  extra    ${line}`);
}

interface Part {
  found: number;
  missing: string[];
}

function compare(reference: ReferenceGraph, { nodes, edges }: GraphExport) {
  const ours = new Map(nodes.map((node) => [node.id, node]));
  const idByPlace = new Map(
    nodes.filter(({ file }) => file !== '').map((node) => [`${node.file}#${node.qualname}`, node.id]),
  );
  const theirs = new Map(reference.nodes.map((node) => [node.id, node]));
  const idOf = (id: string): string | undefined => {
    const node = theirs.get(id);
    return node?.file === undefined ? undefined : idByPlace.get(`${node.file}#${node.qualname}`);
  };
  const functions: Part = { found: 0, missing: [] };
  for (const node of reference.nodes) {
    if (node.kind !== 'internal') continue;
    const kind = ours.get(idOf(node.id) ?? '')?.kind;
    if (kind === 'function' || kind === 'method') functions.found += 1;
    else functions.missing.push(node.id);
  }
  // Lines still unused, by the ends of the call: a source that is a little newer has the same calls at other lines.
  const open = new Map<string, number[]>();
  for (const { from, to, kind, line } of edges) {
    if (kind !== 'calls') continue;
    const node = ours.get(to)!;
    const key = `${from} -> ${node.kind === 'boundary' ? node.qualname : to}`;
    open.set(
      key,
      [...(open.get(key) ?? []), line].sort((a, b) => a - b),
    );
  }
  const internal: Part = { found: 0, missing: [] };
  const boundary: Part = { found: 0, missing: [] };
  let moved = 0;
  for (const { caller_id, callee_id, line, raw } of [...reference.edges].sort((a, b) => a.line - b.line)) {
    const callee = theirs.get(callee_id);
    const part = callee?.kind === 'boundary' ? boundary : internal;
    const lines = open.get(`${idOf(caller_id)} -> ${callee?.kind === 'boundary' ? callee.qualname : idOf(callee_id)}`);
    const at = lines?.includes(line) ? lines.indexOf(line) : 0;
    const [taken] = lines?.splice(at, 1) ?? [];
    if (taken === undefined) part.missing.push(`${caller_id} -> ${callee_id} line ${line} (${raw})`);
    else part.found += 1;
    if (taken !== undefined && taken !== line) moved += 1;
  }
  const extra = [...open].flatMap(([key, lines]) => lines.map((line) => `${key} line ${line}`));
  return { parts: { functions, internal, boundary }, extra, moved };
}

await main();
