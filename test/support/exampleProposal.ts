import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, type Edit, newProposalId, type Proposal, saveProposal } from '../../src/core/proposals';

/** Edits of a real repair of the example: tell the model what was wrong, and say that output was cut. */
const edits: Record<string, Edit> = {
  feedback: {
    file: 'prompts/format_error.md',
    action: 'replace',
    oldText: 'Your last reply could not be processed. Reply again.',
    newText: 'Your last reply could not be processed: {{reason}}\nExpected: {{expected}}\nReply again.',
  },
  notice: {
    file: 'src/truncation.ts',
    action: 'replace',
    oldText: '  return output.slice(0, maxChars);',
    newText: '  return `${output.slice(0, maxChars)}\\n[cut: ${output.length - maxChars} more characters]`;',
  },
  comment: {
    file: 'src/truncation.ts',
    action: 'replace',
    oldText: '/** Shortens the output of a tool to what fits into one observation. */',
    newText: '/** Shortens the output of a tool to what fits into one observation and says how much is missing. */',
  },
};

/**
 * Stores a proposal with two decisions and three hunks in the example at `root`, as if a model had made it.
 * Hunk 1 is the feedback template; hunks 2 and 3 are the comment and the code of the truncation.
 */
export async function storeExampleProposal(root: string): Promise<Proposal> {
  const files = [...new Set(Object.values(edits).map((edit) => edit.file))];
  const texts = new Map<string, string | null>();
  for (const file of files) texts.set(file, await readFile(join(root, file), 'utf8'));
  const proposal: Proposal = {
    schemaVersion: 1,
    id: newProposalId(),
    createdAt: new Date().toISOString(),
    title: 'Tell the model what was wrong and what was cut',
    request: 'Replies in a wrong format and cut output lead to loops.',
    flaw: null,
    base: {
      commit: null,
      files: Object.fromEntries([...texts].map(([file, text]) => [file, contentHash(text ?? '')])),
    },
    decisions: [
      {
        id: 'd1',
        title: 'Feedback names the reason and the expected form',
        rationale: 'The template does not use the reason and the expected form that the parser finds.',
        evidence: [{ kind: 'site', file: 'prompts/format_error.md', start: 1, end: 1 }],
        edits: [edits.feedback!],
      },
      {
        id: 'd2',
        title: 'Cut output says that it was cut',
        rationale: 'Without a notice the model takes the cut output for the whole.',
        evidence: [{ kind: 'site', file: 'src/truncation.ts', start: 2, end: 5 }],
        edits: [edits.comment!, edits.notice!],
      },
    ],
    declares: { modify: files, add: [], remove: [] },
    prediction: { fixes: ['last-deploy', 'largest-file'], atRisk: [], note: 'Fewer loops after format errors.' },
    gates: [],
    refused: [],
    model: { id: 'hand-written', inputTokens: null, outputTokens: null, costUsd: null },
  };
  await saveProposal(root, proposal, texts, 'tester');
  return proposal;
}
