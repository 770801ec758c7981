import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSearchIndex, findReferences, layHistory, rank, termsOfFile } from '../../../../src/core/locate/ranking';
import { definitionsOf, shellDefinitions } from '../../../../src/core/locate/ranking/definitions';
import { fileTermsOf } from '../../../../src/core/locate/ranking/fileTerms';
import { coChanged } from '../../../../src/core/locate/ranking/pastChanges';
import { Postings } from '../../../../src/core/locate/ranking/postings';
import { bestOf, ranksOf, scaled } from '../../../../src/core/locate/ranking/selection';

const sources = {
  'src/agent.py':
    'import model\n\n# Stops a run that costs too much.\nclass Agent:\n    limit = 3\n\n    def run(self):\n        return self.query_model()\n\n' +
    '    def query_model(self):\n        def inner():\n            return 1\n        return model.complete(inner)\n\nBUDGET = 5\n',
  'src/model.py': 'def complete(call):\n    return call()\n\ndef unrelated():\n    pass\n',
  'src/prompts/system.md': 'You are an agent. Never push to a remote.\n',
  'src/run.sh': 'greet() {\n  echo hi\n}\necho $1\n',
};

async function corpusOf(changes: Parameters<typeof layHistory>[1] = []) {
  const files = await Promise.all(
    Object.entries(sources).map(async ([path, text]) => ({ path, terms: await termsOfFile(path, text) })),
  );
  const index = buildSearchIndex(files);
  return { index, references: findReferences(index), history: layHistory(index, changes) };
}

const names = (corpus: Awaited<ReturnType<typeof corpusOf>>, request: string) =>
  rank(corpus, request).rows.map(({ row }) => corpus.index.rows[row]?.name);

describe('definitions', () => {
  it('are top-level ones and methods; what is inside a function belongs to it', async () => {
    const { index } = await corpusOf();
    expect(index.rows.map(({ name }) => name)).toEqual([
      ...['Agent', 'Agent.run', 'Agent.query_model', 'BUDGET', 'complete', 'unrelated', '(file)', 'greet'],
    ]);
  });

  it('leave out test modules and variables of classes', () => {
    const symbol = (kind: string, qualname: string) => ({ kind, qualname, start: 1, end: 2 });
    const found = definitionsOf([
      symbol('function', 'tests.works'),
      symbol('class', 'A'),
      symbol('variable', 'A.x'),
      symbol('function', 'f'),
    ]);
    expect(found.map(({ name }) => name)).toEqual(['A', 'f']);
  });

  it('are found in shell scripts, in one line too', () => {
    expect(shellDefinitions(['a() { echo; }', 'function b {', '  x', '}', 'c()', '{', '}'])).toEqual([
      { name: 'a', kind: 'function', start: 1, end: 1 },
      { name: 'b', kind: 'function', start: 2, end: 4 },
      { name: 'c', kind: 'function', start: 5, end: 7 },
    ]);
  });

  it('own their lines and the comment above', () => {
    const terms = fileTermsOf('# about cost\ndef f():\n    return budget\n\nx = 1\n', [
      { name: 'f', kind: 'function', start: 2, end: 3 },
    ]);
    const own = terms.definitions[0]?.body.filter((_, at) => at % 2 === 0).map((term) => terms.terms[term]);
    expect(own).toEqual(expect.arrayContaining(['cost', 'budget']));
    expect(terms.definitions[0]?.mentions.map((word) => terms.identifiers[word])).toEqual(['return', 'budget']);
  });
});

describe('ranking', () => {
  it('finds by name, by comment above and by text', async () => {
    const corpus = await corpusOf();
    expect(names(corpus, 'query the model again')[0]).toBe('Agent.query_model');
    expect(names(corpus, 'stop when it costs too much')[0]).toBe('Agent');
    expect(names(corpus, 'do not push to a remote')[0]).toBe('(file)');
    expect(names(corpus, 'raise the budget')[0]).toBe('BUDGET');
  });

  it('has no answer when the harness knows none of the words', async () => {
    expect(rank(await corpusOf(), 'f1_2').rows).toEqual([]);
    expect(rank(await corpusOf(), 'zyxx qwvv').files).toEqual([]);
  });

  it('finds by an earlier commit what has no word of the request', async () => {
    const change = {
      id: 'a',
      time: 1,
      message: 'tune the heartbeat',
      files: [{ path: 'src/model.py', names: ['unrelated'] }],
    };
    const corpus = await corpusOf([change]);
    const ranked = rank(corpus, 'slower heartbeat');
    expect(corpus.index.rows[ranked.rows[0]?.row ?? -1]?.name).toBe('unrelated');
    expect(ranked.signals.similar).toEqual([0]);
  });

  it('is the same twice, and finite for any request', async () => {
    const corpus = await corpusOf();
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (request) => {
        const { rows, files } = rank(corpus, request);
        expect(rank(corpus, request).rows).toEqual(rows);
        for (const { score } of [...rows, ...files]) expect(Number.isFinite(score)).toBe(true);
      }),
    );
  });

  it('sees references by name in both directions', async () => {
    const { index, references } = await corpusOf();
    const row = (name: string) => index.rows.findIndex((one) => one.name === name);
    const linked = (list: 'targets' | 'sources', name: string) => {
      const found: [string | undefined, number][] = [];
      references[list].each(row(name), (other, weight) => found.push([index.rows[other]?.name, weight]));
      return found;
    };
    expect(linked('targets', 'Agent.query_model')).toContainEqual(['complete', 1]);
    expect(linked('sources', 'Agent.query_model')).toContainEqual(['Agent.run', 1]);
    expect(linked('targets', 'greet')).toEqual([]);
  });
});

describe('the past of a tree', () => {
  const change = (...files: string[]) => ({
    id: 'x',
    time: 1,
    message: 'm',
    files: files.map((path) => ({ path, names: [] })),
  });

  it('knows a moved file again by a name that only it has', async () => {
    const { index, history } = await corpusOf([change('old/place/agent.py')]);
    expect(history.fileChurn[index.fileOfPath.get('src/agent.py') ?? -1]).toBeCloseTo(Math.log(2));
  });

  it('lets old changes fade', async () => {
    const many = Array.from({ length: 300 }, () => change('src/model.py'));
    const { index, history } = await corpusOf([...many, change('src/agent.py')]);
    expect(history.fileChurn[index.fileOfPath.get('src/agent.py') ?? -1]).toBeLessThan(0.06);
  });

  it('finds files that change together', async () => {
    const both = change('src/agent.py', 'src/model.py');
    const { index, history } = await corpusOf([both, both, both, change('src/agent.py')]);
    const [agent, model] = ['src/agent.py', 'src/model.py'].map((path) => index.fileOfPath.get(path) ?? -1) as [
      number,
      number,
    ];
    expect(coChanged(history, agent)).toEqual([{ file: model, together: 3, times: 4 }]);
    expect(coChanged((await corpusOf([both, both])).history, agent)).toEqual([]);
  });
});

describe('flat lists', () => {
  it('hold what was put in', () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 9 }));
    const documents = fc.array(fc.uniqueArray(pair, { selector: ([term]) => term }).map((pairs) => pairs.flat()));
    fc.assert(
      fc.property(documents, (lists) => {
        const postings = Postings.of(9, lists);
        const back = lists.map(() => [] as number[]);
        for (let term = 0; term < 9; term++) {
          const [from, to] = postings.range(term);
          for (let slot = from; slot < to; slot++)
            back[postings.documents[slot] as number]?.push(term, postings.counts[slot] as number);
        }
        const sorted = lists.map((list) =>
          Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at], list[2 * at + 1]])
            .sort((a, b) => (a[0] as number) - (b[0] as number))
            .flat(),
        );
        expect(back).toEqual(sorted);
      }),
    );
  });

  it('give up their best in order, and the rank of any place', () => {
    const list = fc.array(fc.integer({ min: -2, max: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 12 }), (numbers, count) => {
        const values = Float64Array.from(numbers);
        const order = numbers.map((_, at) => at).filter((at) => (numbers[at] as number) > 0);
        order.sort((a, b) => (numbers[b] as number) - (numbers[a] as number) || a - b);
        expect(bestOf(values, count)).toEqual(order.slice(0, count));
        const larger = (at: number) => numbers.filter((n) => n > Math.max(0, numbers[at] as number)).length;
        const places = numbers.map((_, at) => at).filter((at) => at % 2 === 0);
        expect(ranksOf(values, places)).toEqual(places.map(larger));
      }),
    );
  });

  it('are ordered and scaled', () => {
    expect(bestOf(Float64Array.from([0, 2, 1, 2]), 2)).toEqual([1, 3]);
    expect([...scaled(Float64Array.from([0, 2, 1]))]).toEqual([0, 1, 0.5]);
    expect([...scaled(Float64Array.from([0, 0]))]).toEqual([0, 0]);
  });
});
