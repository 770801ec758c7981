import type { ProgramGraph } from '../../src/core/graph';
import { kindWords, type Sources, type UnitKind, wordsOf } from '../../src/core/handbook';
import type { ScoredUnit } from './score';

/** Units that a crude way would name, best first for every behaviour. */
export type Baseline = (behaviours: readonly string[]) => ScoredUnit[];

function vocabulary(behaviour: string): Set<string> {
  const words = kindWords[behaviour as UnitKind];
  return new Set([...behaviour.split('_'), ...wordsOf(words?.title ?? ''), ...(words?.synonyms ?? '').split(' ')]);
}

const shown = 3;

/** Definitions by how many words of their names belong to the behaviour's vocabulary; longer names count less. */
export function nameBaseline(graph: ProgramGraph): Baseline {
  const definitions = graph.data.nodes.filter((node) => ['function', 'method', 'class'].includes(node.kind));
  const named = definitions.map((node) => ({ node, words: wordsOf(node.name) }));
  return (behaviours) =>
    behaviours.flatMap((behaviour) => {
      const known = vocabulary(behaviour);
      const scored = named.map(({ node, words }) => {
        const matches = words.filter((word) => known.has(word)).length;
        return { node, score: matches === 0 ? 0 : matches + matches / words.length };
      });
      return scored
        .filter((item) => item.score > 0)
        .sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1))
        .slice(0, shown)
        .map(({ node }) => ({
          kind: behaviour,
          title: node.qualname,
          sites: [{ file: node.file, symbol: node.qualname, start: node.start, end: node.end }],
        }));
    });
}

/** What `grep -n -i WORDS` and reading the function with most matching lines would find. */
export function grepBaseline(graph: ProgramGraph, sources: Sources): Baseline {
  return (behaviours) =>
    behaviours.flatMap((behaviour) => {
      const pattern = new RegExp(`(?<![a-z])(?:${[...vocabulary(behaviour)].join('|')})(?![a-z])`, 'i');
      const counts = new Map<string, number>();
      for (const file of graph.data.files) {
        for (const [index, line] of sources.lines(file.path).entries()) {
          if (!pattern.test(line)) continue;
          const owner = graph.enclosing(file.path, index + 1);
          if (owner) counts.set(owner.id, (counts.get(owner.id) ?? 0) + 1);
        }
      }
      return [...counts]
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, shown)
        .flatMap(([id]) => graph.node(id) ?? [])
        .map((node) => ({
          kind: behaviour,
          title: node.qualname,
          sites: [{ file: node.file, symbol: node.qualname, start: node.start, end: node.end }],
        }));
    });
}
