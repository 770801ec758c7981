import { describe, expect, it } from 'vitest';
import { RecordedAnswers, RecordedClient } from '../../../src/core/models';
import {
  contextText,
  estimateCost,
  gatherRevision,
  NoChangeNeededError,
  openProposal,
  type ProposeInput,
  type ProposerAnswer,
  proposalContext,
  propose,
  proposeMany,
  revisionDiff,
} from '../../../src/core/proposals';
import { temporaryFolder } from './temporaryHarness';

// Put together here, so that no scanner takes the test for a leak.
const secret = `sk-ant-${'a1b2c3d4e5f6g7h8i9j0'}`;
const files = {
  'src/loop.py': `def loop():\n    if stuck:\n        return None\n    key = "${secret}"\n    return run()\n`,
  'prompts/error.md': 'Wrong.\nTry again.\n',
};

function inputFor(root: string, over: Partial<ProposeInput> = {}): ProposeInput {
  return {
    harness: { root, config: { protected: [] } },
    request: 'tell the model what was wrong',
    steps: [
      { run: 'r1', step: 3, text: 'open step', task: 'open-task' },
      { run: 'r2', step: 4, text: 'secret step', task: 'sealed-task' },
    ],
    sites: [
      { file: 'src/loop.py', symbol: 'loop', start: 1, end: 5 },
      { file: 'prompts/error.md', symbol: '', start: 1, end: 2 },
    ],
    ...over,
  };
}

function answer(...edits: [file: string, oldText: string, newText: string][]): ProposerAnswer {
  return {
    title: `Change ${edits.map(([, , text]) => text).join(' ')}`,
    decisions: edits.map(([file, oldText, newText], index) => ({
      title: `Decision ${index + 1}`,
      rationale: 'because',
      evidence: [],
      edits: [{ file, action: 'replace', oldText, newText }],
    })),
    declares: { modify: [], add: [], remove: [] },
    prediction: { fixes: [], atRisk: [], note: edits.length === 0 ? 'the harness does this already' : '' },
  };
}

function clientWith(...answers: ProposerAnswer[]) {
  const recorded = RecordedAnswers.parse({
    schemaVersion: 1,
    model: 'm',
    answers: answers.map((one) => ({ answer: one })),
  });
  const client = new RecordedClient(recorded);
  const asked: string[] = [];
  const generate: typeof client.generate = (request) => {
    asked.push(request.messages.map((message) => message.content).join('\n'));
    return client.generate(request);
  };
  return { id: client.id, label: client.label, generate, asked };
}

describe('the context of a proposal', () => {
  it('is what is sent, to the letter', async () => {
    const root = await temporaryFolder(files);
    const context = await proposalContext(inputFor(root));
    const client = clientWith(answer(['prompts/error.md', 'Wrong.', 'Wrong: {reason}.']));
    await propose(inputFor(root), client, { context });
    expect(client.asked[0]).toBe(context.messages.map((message) => message.content).join('\n'));
    const shown = contextText(context, 'a model', 'about 10 tokens');
    for (const { content } of context.messages) expect(shown).toContain(content);
    expect(shown).toContain('Files: src/loop.py, prompts/error.md');
    expect(await proposalContext(inputFor(root))).toEqual(context);
  });

  it('masks what looks like a key, and says how much', async () => {
    const root = await temporaryFolder(files);
    const context = await proposalContext(inputFor(root));
    expect(JSON.stringify(context.messages)).not.toContain(secret);
    expect(context.masked).toBe(1);
    expect(contextText(context, 'm', '')).toContain('Masked: 1 values');
  });

  it('has no step of a task that must stay unseen', async () => {
    const root = await temporaryFolder(files);
    const context = await proposalContext(inputFor(root, { withheldTasks: ['sealed-task'] }));
    const all = JSON.stringify(context.messages);
    expect(all).toContain('open step');
    expect(all).not.toMatch(/secret step|sealed-task/);
    expect(context.withheld).toBe(1);
    expect(context.evidence.map((one) => one.id)).toContain('E1');
    expect(context.evidence.map((one) => one.id)).not.toContain('E2');
  });

  it('has the conventions of the repository as data, and the module', async () => {
    const root = await temporaryFolder({ ...files, 'AGENTS.md': 'Use two spaces.\n', 'CLAUDE.md': 'second\n' });
    const context = await proposalContext(inputFor(root, { module: 'prompts' }));
    const text = context.messages[1]!.content;
    expect(text).toMatch(/<<<data \w+ conventions of the repository \(AGENTS\.md\)\nUse two spaces\.\n/);
    expect(text).not.toContain('second');
    expect(text).toContain('Change files below prompts only.');
  });

  it('has what stands unsaved in an editor', async () => {
    const root = await temporaryFolder(files);
    const unsaved = new Map([['prompts/error.md', 'Typed.\nTry again.\n']]);
    const input = inputFor(root, { unsaved });
    expect(JSON.stringify((await proposalContext(input)).messages)).toContain('Typed.');
    const proposal = await propose(input, clientWith(answer(['prompts/error.md', 'Typed.', 'Better.'])));
    const { hunks } = await openProposal(root, proposal.id);
    expect(hunks).toMatchObject([{ oldText: 'Typed.\n', newText: 'Better.\n' }]);
  });

  it('is estimated in tokens and dollars', async () => {
    const context = { inputTokens: 9_100 };
    const price = { input: 1, output: 10 };
    expect(estimateCost(context, { price, maxOutputTokens: 1_000 })).toEqual({
      inputTokens: 10_000,
      outputTokens: 1_000,
      costUsd: { least: 0.016, most: 0.041 },
    });
    expect(estimateCost(context, { price: null, maxOutputTokens: 1_000 }, 3)).toMatchObject({
      inputTokens: 30_000,
      costUsd: null,
    });
  });
});

describe('edits that are not quite as the file is', () => {
  it('are taken when only white space differs, with the line and what differed', async () => {
    const root = await temporaryFolder(files);
    const proposal = await propose(
      inputFor(root),
      clientWith(answer(['src/loop.py', 'if stuck:\n    return None', 'if stuck:\n    tell()\n    return None'])),
    );
    expect(proposal.fuzz).toEqual([{ file: 'src/loop.py', line: 2, difference: 'indentation' }]);
    const { hunks } = await openProposal(root, proposal.id);
    expect(hunks.map((hunk) => hunk.newText)).toEqual(['        tell()\n']);
  });

  it('are refused when the lines do not agree on the indentation, and the model may try once more', async () => {
    const root = await temporaryFolder(files);
    const bad = answer(['src/loop.py', '  if stuck:\n return None', 'x']);
    const client = clientWith(bad, answer(['src/loop.py', '    return run()', '    return run(1)']));
    const proposal = await propose(inputFor(root), client);
    expect(client.asked[1]).toContain('differs from the file in white space; copy it exactly');
    expect(proposal.fuzz).toBeUndefined();
  });

  it('never hold what stands for a masked value', async () => {
    const root = await temporaryFolder(files);
    const bad = answer(['src/loop.py', '    return run()', '    return run("(masked)")']);
    await expect(propose(inputFor(root), clientWith(bad, bad))).rejects.toThrow(/stands for a value you cannot see/);
  });
});

describe('the scope a person gives', () => {
  it('holds against edits elsewhere', async () => {
    const root = await temporaryFolder(files);
    const both = answer(['src/loop.py', 'return None', 'return 1'], ['prompts/error.md', 'Wrong.', 'Why.']);
    const proposal = await propose(inputFor(root, { module: './prompts/' }), clientWith(both, both));
    expect(proposal.decisions.flatMap((one) => one.edits.map((edit) => edit.file))).toEqual(['prompts/error.md']);
    expect(proposal.refused).toEqual([{ file: 'src/loop.py', reason: expect.stringMatching(/lies outside/) }]);
  });
});

describe('several proposals', () => {
  const first = answer(['prompts/error.md', 'Wrong.', 'Wrong: {reason}.']);
  const second = answer(['src/loop.py', 'return None', 'return retry()']);

  it('are told of those before, and one that repeats an earlier one is left out', async () => {
    const root = await temporaryFolder(files);
    const client = clientWith(first, second, { ...first, title: 'The same in other words' });
    const set = await proposeMany(inputFor(root), 3, client);
    expect(set.proposals.map((one) => one.title)).toEqual([first.title, second.title]);
    expect(client.asked[1]).toContain('Propose a different way');
    expect(client.asked[2]).toContain(second.title);
    expect(set.missing).toEqual([expect.stringMatching(/same edits as an earlier proposal/)]);
  });

  it('end with the answer that no change is needed', async () => {
    const root = await temporaryFolder(files);
    expect(await proposeMany(inputFor(root), 2, clientWith(first, answer()))).toMatchObject({
      proposals: [{ title: first.title }],
      noChange: 'the harness does this already',
    });
    expect(await proposeMany(inputFor(root), 1, clientWith(answer()))).toEqual({
      proposals: [],
      noChange: 'the harness does this already',
      missing: [],
    });
    await expect(propose(inputFor(root), clientWith(answer()))).rejects.toBeInstanceOf(NoChangeNeededError);
  });
});

describe('a revision', () => {
  it('shows the model the earlier diff and the comment, is linked to it, and can be compared with it', async () => {
    const root = await temporaryFolder(files);
    const one = await propose(inputFor(root), clientWith(answer(['prompts/error.md', 'Wrong.', 'Wrong: {reason}.'])));
    const sources = { harness: inputFor(root).harness as never, map: { units: [] } as never };
    const input = await gatherRevision(sources, one.id, 'Say it in capitals.', [1]);
    const client = clientWith(answer(['prompts/error.md', 'Wrong.', 'WRONG: {reason}.']));
    const two = await propose(input, client);
    expect(client.asked[0]).toContain('+Wrong: {reason}.');
    expect(client.asked[0]).toMatch(/Say it in capitals\.\n\(about prompts\/error\.md, from line 1\)/);
    expect(two.revises).toEqual({ proposal: one.id, hunks: [1], comment: 'Say it in capitals.' });
    expect(two.request).toBe(one.request);
    const [a, b] = [await openProposal(root, one.id), await openProposal(root, two.id)];
    expect(revisionDiff(a, b)).toMatch(/-Wrong: \{reason\}\.\n\+WRONG: \{reason\}\./);
    expect(revisionDiff(a, a)).toBe('');
    await expect(gatherRevision(sources, one.id, ' ')).rejects.toMatchObject({ code: 'comment-empty' });
  });
});
