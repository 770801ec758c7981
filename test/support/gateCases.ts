import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { z } from 'zod';
import { syntaxErrors } from '../../src/core/graph';
import { type Harness, openHarness } from '../../src/core/harness';
import { type Edit, type GateResult, gateContext, type Proposal, runGates } from '../../src/core/proposals';
import { anchoredEdits } from '../../src/core/proposals/anchoredEdits';
import { taskTexts } from '../../src/core/validation';
import { type PlantedPatch, plantedPatches } from './plantedPatches';

const CleanPatches = z.array(
  z.object({
    origin: z.string(),
    licence: z.enum(['MIT', 'Apache-2.0']),
    commit: z.string(),
    subject: z.string(),
    files: z.array(z.object({ path: z.string(), base: z.string().nullable(), patch: z.string() })),
  }),
);

export interface GateCase {
  name: string;
  /** The gate that has to object; null for a patch that none may object to. */
  gate: string | null;
  results: GateResult[];
  /** Gates that object. */
  objecting: string[];
}

/** Runs all gates on the planted patches of the example at `example`. */
export async function plantedCases(example: string): Promise<GateCase[]> {
  const harness = await openHarness(example);
  const cases: GateCase[] = [];
  for (const patch of plantedPatches) cases.push(await caseOf(harness, patch));
  return cases;
}

async function caseOf(harness: Harness, patch: PlantedPatch): Promise<GateCase> {
  const files = [...new Set(patch.edits.map((edit) => edit.file))];
  const baseTexts = new Map<string, string | null>();
  for (const file of files) {
    const made = patch.edits.some((edit) => edit.file === file && edit.action === 'create');
    baseTexts.set(file, made ? null : await readFile(join(harness.root, file), 'utf8'));
  }
  const now = new Map(
    [...baseTexts].map(([file, text]) => [file, patch.now?.[file] === undefined ? text : patch.now[file]]),
  );
  const proposal = proposalOf(patch.edits, patch.declares, patch.title ?? patch.name, patch.rationale);
  const context = gateContext(proposal, baseTexts, {
    harness,
    tasks: await taskTexts(harness),
    premises: patch.premises,
    syntaxErrors,
    currentTexts: now,
  });
  const results = await runGates({ ...context, traceTexts: patch.traceTexts ?? [] });
  return { name: patch.name, gate: patch.gate, results, objecting: objecting(results) };
}

/** Runs all gates on commits of real harnesses, with the tasks of the example as what must not leak. */
export async function cleanCases(file: string, example: string): Promise<GateCase[]> {
  const patches = CleanPatches.parse(JSON.parse(await readFile(file, 'utf8')));
  const { config } = await openHarness(example);
  const tasks = await taskTexts({ root: (await openHarness(example)).root, config });
  const cases: GateCase[] = [];
  for (const { origin, commit, subject, files } of patches) {
    const baseTexts = new Map(files.map(({ path, base }) => [path, base]));
    const edits = files.flatMap(({ path, base, patch }) => editsOf(path, base, patch));
    const proposal = proposalOf(edits, undefined, subject);
    const harness = { root: '/', config: { protected: [] } };
    const context = gateContext(proposal, baseTexts, { harness, tasks, syntaxErrors, currentTexts: baseTexts });
    const results = await runGates(context);
    const name = `${origin}@${commit.slice(0, 8)} ${subject}`;
    cases.push({ name, gate: null, results, objecting: objecting(results) });
  }
  return cases;
}

function editsOf(path: string, base: string | null, patch: string): Edit[] {
  const text = applyPatch(base ?? '', patch);
  if (text === false) throw new Error(`The stored diff of ${path} does not fit its text.`);
  if (base === null) return [{ file: path, action: 'create', oldText: '', newText: text }];
  if (text === '') return [{ file: path, action: 'delete', oldText: base, newText: '' }];
  return anchoredEdits(path, base, text);
}

function proposalOf(
  edits: Edit[],
  declares: PlantedPatch['declares'],
  title: string,
  rationale = 'because',
): Pick<Proposal, 'id' | 'decisions' | 'declares'> {
  const filesOf = (action: Edit['action']) => [
    ...new Set(edits.filter((edit) => edit.action === action).map((edit) => edit.file)),
  ];
  return {
    id: 'p-00c0ffee',
    decisions: [{ id: 'd1', title, rationale, evidence: [], edits }],
    declares: declares
      ? { modify: [], add: [], remove: [], ...declares }
      : { modify: filesOf('replace'), add: filesOf('create'), remove: filesOf('delete') },
  };
}

function objecting(results: readonly GateResult[]): string[] {
  return results.filter((result) => !result.passed).map((result) => result.gate);
}
