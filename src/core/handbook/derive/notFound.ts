import { InputError } from '../../errors';
import type { ProgramGraph } from '../../graph';
import { type Harness, readHarnessFile } from '../../harness';
import type { Unit, UnitKind } from '../model';
import { isTestFile } from '../vocabulary';
import type { Entry } from './entries';
import type { FoundLoop } from './loops';
import type { Reach } from './reach';
import type { Sources } from './sources';

interface Facts {
  graph: ProgramGraph;
  reach: Reach;
  loops: readonly FoundLoop[];
  /** Loops that reach both boundaries, also those too far away to count. */
  candidates: readonly FoundLoop[];
  entries: readonly Entry[];
  units: readonly Pick<Unit, 'kind' | 'sites' | 'title'>[];
  harness: Harness;
  sources: Sources;
}

const expected: [UnitKind, string][] = [
  ['limits', 'no check of a step, cost or time limit in the loop'],
  ['compaction', 'no compaction or summary of the conversation'],
  ['truncation', 'no truncation of output, neither in code nor in a template'],
  ['retry', 'no retry of failed calls by that name'],
  ['subagents', 'no sub-agents'],
  ['permission', 'no permission or approval check'],
];

/** What was looked for and not found, in words; each says what that means for the map. */
export async function missingFacts(facts: Facts): Promise<string[]> {
  const { graph, reach, loops, candidates, entries, units, sources } = facts;
  const missing: string[] = [];
  const nearest = candidates[0];
  if (loops.length === 0 && nearest) {
    missing.push(
      `Agent loop: no loop is close to both a model call and an execution of actions. Nearest is \`${nearest.node.qualname}\` ` +
        `(${nearest.node.file}:${nearest.node.start}), but both are many calls away from it.`,
    );
  } else if (loops.length === 0) {
    const both = [...reach.model.keys()].filter((id) => reach.execution.has(id)).length;
    missing.push(
      `Agent loop: no function was found whose own loop reaches both a model call and an execution of actions ` +
        `(${reach.model.size} functions reach a model, ${reach.execution.size} reach an execution, ${both} reach both), and none that calls itself again.`,
    );
  }
  if (reach.modelSites.size === 0) missing.push(noModelSite(units));
  if (reach.executionSites.size === 0) missing.push('Execution: no call that starts a process.');
  if (entries.length === 0)
    missing.push(
      'Entry point: none in harness.json, package.json, pyproject.toml, a command decorator or a main block.',
    );
  if (loops.length > 0) {
    const kinds = new Set(units.map((unit) => unit.kind));
    for (const [kind, words] of expected) {
      if (kinds.has(kind) || (kind === 'subagents' && namesSubagents(graph))) continue;
      missing.push(`${capital(words)}.`);
    }
  }
  missing.push(...(await absentPackages(facts)));
  if (graph.data.files.length === 0)
    missing.push('Source: no file of a known language in the roots, or all were left out.');
  for (const path of sources.missing) missing.push(`${path} was indexed and is gone; refresh the index.`);
  return missing;
}

/** Code that speaks of agents as tools: then it must not be said that there are none, though none was made out. */
function namesSubagents(graph: ProgramGraph): boolean {
  return graph.data.nodes.some(
    (node) =>
      !node.test && !isTestFile(node.file) && /sub_?agent|agent_?(?:executor|tool)(?![a-z])/i.test(node.qualname),
  );
}

/** A client that is handed in is seen by the form of its call; then it must not be said that there is no model call. */
function noModelSite(units: Facts['units']): string {
  const seen = units.find((unit) => unit.kind === 'model_call');
  if (!seen) return 'Model call: no call of a known model library or model endpoint.';
  return `Model library: none that is known; the model call \`${seen.sites[0]?.symbol ?? seen.title}\` was recognised by its form.`;
}

/**
 * Packages of the harness's own npm scope that its code depends on and that are not here. A harness published in parts
 * keeps its loop in one of them.
 */
async function absentPackages({ harness, graph }: Facts): Promise<string[]> {
  const missing: string[] = [];
  for (const root of harness.config.roots) {
    const folder = root === '.' ? '' : `${root.replace(/\/$/, '')}/`;
    let parsed: { name?: unknown; dependencies?: unknown };
    try {
      parsed = JSON.parse(await readHarnessFile(harness, `${folder}package.json`)) as typeof parsed;
    } catch (error) {
      if (error instanceof InputError || error instanceof SyntaxError) continue;
      throw error;
    }
    const scope = typeof parsed.name === 'string' ? /^(@[^/]+)\//.exec(parsed.name)?.[1] : undefined;
    if (!scope || typeof parsed.dependencies !== 'object' || parsed.dependencies === null) continue;
    for (const name of Object.keys(parsed.dependencies)) {
      if (!name.startsWith(`${scope}/`)) continue;
      const short = name.slice(scope.length + 1);
      const here = graph.data.files.some(
        ({ path }) =>
          path.includes(`node_modules/${name}/`) || path.startsWith(`${short}/`) || path.includes(`/${short}/`),
      );
      if (here) continue;
      missing.push(
        `Package ${name}: a part of the harness by its scope, but not in this folder, so its code is not in this map. ` +
          `Run \`npm install\` in ${folder === '' ? 'the folder' : folder}, or open the folder that holds all packages of ${scope}, then index again.`,
      );
    }
  }
  return missing;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
