import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSources } from '../../../src/core/handbook';
import { propagate, scoreRows, scoreUnits } from '../../../src/core/locate/score';
import { buildSearchIndex, type SearchIndex } from '../../../src/core/locate/searchIndex';
import { queryTerms } from '../../../src/core/locate/tokens';
import { type BuiltHarness, built } from '../../fixtureHarness';
import { temporaryFolder } from '../proposals/temporaryHarness';

const files = {
  'agent/loop.py': `class Agent:
    """Runs the loop."""

    def run(self):
        while True:
            if self.is_spent():
                return
            self.step()

    def step(self):
        return shorten("x")

    def is_spent(self):
        return False


def shorten(text):
    # keeps the head of an observation
    return text[:10]


def unrelated():
    return 1
`,
  'agent/budget.py': `SPENDING_CAP = 3


def remaining():
    return SPENDING_CAP
`,
  'tests/test_loop.py': 'def test_shorten():\n    assert shorten("observation") == "observatio"\n',
};

let harness: BuiltHarness;
let index: SearchIndex;
beforeAll(async () => {
  const { mkdtemp, mkdir, writeFile } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { dirname, join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-score-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  harness = await built(folder);
  index = buildSearchIndex(harness.graph, harness.map, await loadSources(harness.graph, harness.harness, {}));
});
afterAll(() => harness.remove());

const nameOf = (row: number) => index.rows[row]!.node.qualname;

/** Definitions by score, best first. */
function ranked(request: string): string[] {
  const { scores } = scoreRows(index, queryTerms(request));
  return [...scores.values()].sort((a, b) => b.score - a.score || a.row - b.row).map(({ row }) => nameOf(row));
}

describe('the search index', () => {
  it('holds no tests, so that a request finds the code and not what checks it', () => {
    expect(index.files.map((file) => file.path)).not.toContain('tests/test_loop.py');
    expect(index.rows.map((row) => row.node.file)).not.toContain('tests/test_loop.py');
  });

  it('gives a class its own words, not those of its methods', () => {
    const row = index.rows.findIndex(({ node }) => node.qualname === 'Agent');
    const bodyOf = (term: string) => index.postings.get(term)?.find((posting) => posting.row === row)?.body ?? 0;
    // Only the class says "Runs the loop."; only its method says "while".
    expect(bodyOf('loop')).toBeGreaterThan(0);
    expect(bodyOf('while')).toBe(0);
  });

  it('points back from every posting to a row that exists, and counts each row once a term', () => {
    for (const [term, postings] of index.postings) {
      const rows = postings.map((posting) => posting.row);
      expect([term, new Set(rows).size]).toEqual([term, rows.length]);
      for (const row of rows) expect(index.rows[row]).toBeDefined();
    }
    for (const [id, row] of index.rowOfNode) expect(index.rows[row]!.node.id).toBe(id);
  });
});

describe('scores', () => {
  it('find by name before text, and by a comment inside', () => {
    expect(ranked('shorten')[0]).toBe('shorten');
    expect(ranked('head of an observation')[0]).toBe('shorten');
  });

  it('find what only the path says', () => {
    // No definition of budget.py has the word in its text.
    expect(ranked('budget').slice(0, 2).sort()).toEqual(['SPENDING_CAP', 'remaining']);
  });

  it('are positive, and there is none for what shares no word', () => {
    const { scores, matched } = scoreRows(index, queryTerms('spent'));
    for (const { row, score } of scores.values()) {
      expect(score).toBeGreaterThan(0);
      expect(matched(row)).toEqual(['spent']);
    }
    expect([...scores.keys()].map(nameOf)).not.toContain('unrelated');
    expect(scoreRows(index, queryTerms('zyzzyva')).scores.size).toBe(0);
  });

  it('grow with each further word that fits', () => {
    const scoreOf = (request: string) => {
      const { scores } = scoreRows(index, queryTerms(request));
      return [...scores.values()].find(({ row }) => nameOf(row) === 'shorten')!.score;
    };
    expect(scoreOf('shorten head')).toBeGreaterThan(scoreOf('shorten'));
    expect(scoreOf('shorten head observation')).toBeGreaterThan(scoreOf('shorten head'));
  });

  it('reach over one call to a caller that shares no word, and never above the definition itself', () => {
    const { scores } = scoreRows(index, queryTerms('observation'));
    const before = [...scores.values()].map(({ row }) => nameOf(row));
    expect(before).not.toContain('Agent.step');
    propagate(index, harness.graph, scores);
    const after = new Map([...scores.values()].map(({ row, score }) => [nameOf(row), score]));
    expect(after.get('Agent.step')).toBeGreaterThan(0);
    expect(after.get('Agent.step')!).toBeLessThan(after.get('shorten')!);
    // Two calls away is too far to say anything.
    expect(after.has('Agent.run')).toBe(false);
  });

  it('name the words of a unit that fit', () => {
    for (const [number, { score, matched }] of scoreUnits(index, queryTerms('agent loop'))) {
      expect(score).toBeGreaterThan(0);
      for (const term of matched) expect(index.units[number]!.terms.get(term)).toBeGreaterThan(0);
    }
    expect(scoreUnits(index, queryTerms('zyzzyva')).size).toBe(0);
  });
});

describe('a folder without code', () => {
  it('makes an index that answers every request with nothing', async () => {
    const empty = await built(await temporaryFolder({ 'README.md': '# Nothing\n' }));
    const nothing = buildSearchIndex(empty.graph, empty.map, await loadSources(empty.graph, empty.harness, {}));
    expect(scoreRows(nothing, queryTerms('agent loop')).scores.size).toBe(0);
    expect(Object.values(nothing.averages).every((average) => average > 0)).toBe(true);
  });
});
