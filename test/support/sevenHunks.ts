import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  contentHash,
  type Decision,
  type Edit,
  newProposalId,
  type Proposal,
  saveProposal,
} from '../../src/core/proposals';

function replace(file: string, oldText: string, newText: string): Edit {
  return { file, action: 'replace', oldText, newText };
}

function decision(id: string, title: string, ...edits: Edit[]): Decision {
  return {
    id,
    title,
    rationale: `${title}, so that the model can go on.`,
    evidence: [{ kind: 'site', file: edits[0]!.file, start: 1, end: 1 }],
    edits,
  };
}

/** Three behaviour changes of the example in seven hunks, numbered 1 to 7 in this order. */
const decisions: readonly Decision[] = [
  decision(
    'd1',
    'Feedback names the reason',
    replace('prompts/format_error.md', 'could not be processed. Reply again.', 'could not be processed: {{reason}}'),
    replace(
      'prompts/system.md',
      'After each action you get its output.',
      'After each action you get its output or an error.',
    ),
  ),
  decision(
    'd2',
    'Cut output says that it was cut',
    replace(
      'src/truncation.ts',
      '/** Shortens the output of a tool to what fits into one observation. */',
      '/** Shortens the output of a tool and says so. */',
    ),
    replace(
      'src/truncation.ts',
      '  return output.slice(0, maxChars);',
      '  return `${output.slice(0, maxChars)}\\n[cut]`;',
    ),
    replace('README.md', '# ', '# Example: '),
  ),
  decision(
    'd3',
    'More patience',
    replace('config.json', '"formatErrors": 4', '"formatErrors": 6'),
    replace('prompts/compaction.md', '\n', ' Keep file names.\n'),
  ),
];

/** Stores the proposal in the example at `root`, as if a model had made it. */
export async function storeSevenHunks(root: string): Promise<Proposal> {
  const texts = new Map<string, string>();
  const made: Decision[] = [];
  for (const one of decisions) {
    const edits: Edit[] = [];
    for (const edit of one.edits) {
      const text = texts.get(edit.file) ?? (await readFile(join(root, edit.file), 'utf8'));
      texts.set(edit.file, text);
      edits.push(onePlace(text, edit));
    }
    made.push({ ...one, edits });
  }
  const proposal: Proposal = {
    schemaVersion: 1,
    id: newProposalId(),
    createdAt: new Date().toISOString(),
    title: 'Tell the model what happened',
    request: 'The agent repeats itself.',
    flaw: null,
    base: { commit: null, files: Object.fromEntries([...texts].map(([file, text]) => [file, contentHash(text)])) },
    decisions: made,
    declares: { modify: [...texts.keys()], add: [], remove: [] },
    prediction: { fixes: ['last-deploy'], atRisk: [], note: 'Fewer loops.' },
    gates: [],
    refused: [],
    model: { id: 'hand-written', inputTokens: null, outputTokens: null, costUsd: null },
  };
  const { hunks } = await saveProposal(root, proposal, texts, 'tester');
  if (hunks.length !== 7) throw new Error(`${hunks.length} hunks`);
  return proposal;
}

/** The edit with the whole first line it occurs in, so that its text has one place. */
function onePlace(text: string, edit: Edit): Edit {
  const at = text.indexOf(edit.oldText);
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const line = text.slice(start, next === -1 ? undefined : next + 1);
  return { ...edit, oldText: line, newText: line.replace(edit.oldText, () => edit.newText) };
}
