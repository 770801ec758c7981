import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentenceProblem, titleProblem, withinCard } from '../../../../src/core/handbook/refine/content';
import { Meter, priceOf, tokensOf } from '../../../../src/core/handbook/refine/cost';
import type { OfferedFact } from '../../../../src/core/handbook/refine/material';
import { limits } from '../../../../src/core/handbook/refine/model';

const facts: OfferedFact[] = [
  {
    id: 'e1',
    heading: 'run in a.py, lines 1-4',
    text: 'def run(self):\n    while self.turn_count < 40:\n        self.query_model("go on")',
  },
  { id: 'e2', text: 'Called by: main' },
];
const problem = (text: string, evidence = ['e1']) => sentenceProblem(text, evidence, facts);

describe('sentenceProblem', () => {
  it.each([
    'It calls query_model in every turn.',
    'It runs until turn_count reaches 40.',
    'It sends `self.query_model("go on")` to the model.',
    'It says "go on" to the model.',
    'It has one loop and leaves it once.',
    'The loop has 2 parts.',
  ])('passes what the evidence bears out: %s', (text) => {
    expect(problem(text)).toBeUndefined();
  });

  it.each([
    ['It calls queryModel in every turn.', /queryModel/],
    ['It calls agent.query_model in every turn.', /agent\.query_model/],
    ['It retries() the call each time.', /retries/],
    ['It stops after 41 turns.', /41/],
    ['It stops after 4 turns.', /states 4,/],
    ['It ends with `go off` as text.', /go off/],
    ['It says "stop here" to the model.', /stop here/],
    ['It loops.', /no sentence/],
    ['It [loops](http://x.y) all day.', /markup/],
    ['It loops &lt;b&gt; all day.', /markup/],
    ['It loops\nand loops again.', /line breaks/],
    ['Error: the model is overloaded now.', /failure of a service/],
    ['The server says HTTP 503 again and again.', /failure of a service/],
    ['As an AI language model it loops.', /failure of a service/],
  ])('drops what it does not: %s', (text, reason) => {
    expect(problem(text)).toMatch(reason);
  });

  it('takes words about failures where the code has them', () => {
    const limited = [{ id: 'e1', text: 'raise RateLimit("rate limit exceeded")' }];
    expect(
      sentenceProblem('It raises an error when the rate limit exceeded text comes.', ['e1'], limited),
    ).toBeUndefined();
  });

  it('accepts only evidence of this unit, and looks only into what is cited', () => {
    expect(problem('It calls query_model in every turn.', ['e2'])).toMatch(/query_model/);
    expect(problem('It calls query_model in every turn.', ['e1', 'e9'])).toMatch(/cites e9/);
    expect(problem('It calls query_model in every turn.', [])).toBe('it cites no evidence');
  });

  it('passes any line of the evidence as a quote, and no other text as one', () => {
    const lines = facts.flatMap((fact) => fact.text.split('\n')).map((line) => line.trim());
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.stringMatching(/^[a-z]{12}$/), (line, other) => {
        const cites = ['e1', 'e2'];
        expect(problem(`This part has \`${line}\` in it.`, cites)).toBeUndefined();
        expect(problem(`This part has \`${other}\` in it.`, cites)).toMatch(/is not in the evidence/);
        expect(problem(`This part calls ${other}_${other} in it.`, cites)).toMatch(/is not in the evidence/);
      }),
    );
  });
});

describe('titleProblem', () => {
  it('passes a short name, and drops one that says nothing new or names what is not there', () => {
    const check = (title: string) => titleProblem(title, facts, 'Agent loop: run');
    expect(check('Turn loop')).toBeUndefined();
    expect(check('Turns until turn_count is 40')).toBeUndefined();
    expect(check('agent loop: run')).toMatch(/the title there is/);
    expect(check('Loop of AgentRunner')).toMatch(/AgentRunner/);
    expect(check('x')).toMatch(/empty/);
    expect(check('a'.repeat(limits.titleCharacters + 1))).toMatch(/characters/);
  });
});

describe('withinCard', () => {
  it('keeps the first sentences that fit, and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60)), (lengths) => {
        const sentences = lengths.map((length, index) => ({ text: `s${index} ${'w '.repeat(length)}`.trim() }));
        const { kept, over } = withinCard(sentences);
        expect([...kept, ...over]).toEqual(sentences);
        expect(kept.length).toBeLessThanOrEqual(limits.sentences);
        expect(kept.map((one) => one.text.split(/\s+/).length).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(
          limits.cardWords,
        );
      }),
    );
  });
});

describe('the meter', () => {
  it('adds what is told, counts calls without a count, and estimates those for the budget only', () => {
    const meter = new Meter({ inputUsd: 1, outputUsd: 4 });
    meter.add({ inputTokens: 1000, outputTokens: 500 }, null);
    meter.add({ inputTokens: null, outputTokens: null }, null);
    meter.addFailed();
    expect(meter.cost).toMatchObject({ calls: 3, inputTokens: 1000, outputTokens: 500, unknownCalls: 2 });
    expect(meter.cost.costUsd).toBeCloseTo(0.003, 12);
    expect(meter.used(100)).toBe(1700);
  });

  it('takes the price that a model reports over the list price, and has none without either', () => {
    const priced = new Meter(undefined);
    priced.add({ inputTokens: 10, outputTokens: 10 }, 0.5);
    expect(priced.cost.costUsd).toBe(0.5);
    const unknown = new Meter(undefined);
    unknown.add({ inputTokens: 10, outputTokens: 10 }, null);
    expect(unknown.cost.costUsd).toBeNull();
    expect(priceOf(1, 1, undefined)).toBeNull();
    expect(tokensOf([{ role: 'user', content: 'x'.repeat(9) }])).toBe(3);
  });
});
