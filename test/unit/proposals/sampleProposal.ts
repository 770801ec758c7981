import type { Decision, Edit, Proposal } from '../../../src/core/proposals';

/** A proposal around the given decisions; only what the tests of hunks and reviews look at is filled. */
export function sampleProposal(decisions: Decision[], over: Partial<Proposal> = {}): Proposal {
  return {
    schemaVersion: 1,
    id: 'p-00c0ffee',
    createdAt: '2026-01-02T03:04:05.000Z',
    title: 'Say what was wrong',
    request: 'tell the model what was wrong with its call',
    flaw: null,
    base: { commit: null, files: {} },
    decisions,
    declares: { modify: [], add: [], remove: [] },
    prediction: { fixes: [], atRisk: [], note: '' },
    gates: [],
    refused: [],
    model: { id: 'test', inputTokens: null, outputTokens: null, costUsd: null },
    ...over,
  };
}

export function decision(id: string, ...edits: Edit[]): Decision {
  return { id, title: `Decision ${id}`, rationale: 'because', evidence: [], edits };
}

export function replace(file: string, oldText: string, newText: string): Edit {
  return { file, action: 'replace', oldText, newText };
}
