/** Faults of published work on harnesses that proposals guard against, by their number in docs/handbook.md. */
import { describe, expect, it } from 'vitest';
import { type Edit, gateContext, type Proposal, runGates } from '../../../src/core/proposals';
import { decision, replace, sampleProposal } from './sampleProposal';

const base: Record<string, string> = {
  'agent/loop.py': 'MAX_STEPS = 12\n\n\ndef run():\n    return MAX_STEPS\n',
  'prompts/system.md': 'You are an agent.\n',
  'config/default.yaml': 'agent:\n  step_limit: 12\n',
  'tests/test_loop.py': 'def test_run():\n    assert run() == 12\n',
  'tests/__snapshots__/prompt.snap': 'You are an agent.\n',
};

const edits: Edit[] = [
  replace('agent/loop.py', 'MAX_STEPS = 12', 'MAX_STEPS = 15'),
  replace('prompts/system.md', 'You are an agent.', 'You are a careful agent.'),
  replace('config/default.yaml', 'step_limit: 12', 'step_limit: 15'),
  replace('tests/test_loop.py', 'run() == 12', 'run() == 15'),
  replace('tests/__snapshots__/prompt.snap', 'You are an agent.', 'You are a careful agent.'),
];

async function scopeOf(modify: string[], made: Edit[] = edits) {
  const declares: Proposal['declares'] = { modify, add: [], remove: [] };
  const proposal = sampleProposal([decision('d1', ...made)], { declares });
  const texts = new Map([...new Set(made.map((edit) => edit.file))].map((file) => [file, base[file] ?? null]));
  const gates = await runGates(gateContext(proposal, texts, { harness: { root: '/', config: { protected: [] } } }));
  const scope = gates.find((gate) => gate.gate === 'scope');
  return { passed: scope?.passed, files: (scope?.problems ?? []).map((problem) => problem.file).sort() };
}

describe('fault 13: declarations of an edit named only functions', () => {
  it('a constant, a prompt, a key, a test and a snapshot that were not declared are named, each by its file', async () => {
    expect(await scopeOf(['agent/loop.py#run'])).toEqual({
      passed: false,
      // The constant is in the file of the declared function, and is named all the same.
      files: [
        'agent/loop.py',
        'config/default.yaml',
        'prompts/system.md',
        'tests/__snapshots__/prompt.snap',
        'tests/test_loop.py',
      ],
    });
  });

  it('all of them can be declared, as a file or with the name of the constant or key', async () => {
    const declared = [
      'agent/loop.py#MAX_STEPS',
      'prompts/system.md',
      'config/default.yaml#agent.step_limit',
      'tests/test_loop.py::test_run',
      'tests/__snapshots__/prompt.snap',
    ];
    expect(await scopeOf(declared)).toEqual({ passed: true, files: [] });
  });

  it('what is declared and not in the difference is named too', async () => {
    const declared = ['agent/loop.py#MAX_STEPS', 'prompts/system.md', 'config/default.yaml'];
    expect(await scopeOf(declared, edits.slice(0, 1))).toEqual({
      passed: false,
      files: ['config/default.yaml', 'prompts/system.md'],
    });
  });
});
