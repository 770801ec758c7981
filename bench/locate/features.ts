import { type Corpus, distances, type Ranked, rowValues, weights } from '../../src/core/locate/ranking';
import type { Item } from './items';
import { isSame } from './recall';

/** Signals of the candidates of one request with what is right, as the training script reads it. */
export function exported(item: Item, corpus: Corpus, ranked: Ranked) {
  const { index } = corpus;
  const { signals } = ranked;
  const fileNames = Object.keys(signals.files);
  const ownNames = Object.keys(signals.rows);
  const ofFile = fileNames.map((name) => `file.${name}`).concat('file.length');
  const gold = new Set(item.gold_files);
  const round = (value: number | undefined): number => Math.round((value ?? 0) * 10_000) / 10_000;
  const behind = distances(ranked.files);
  return {
    id: item.id,
    repo: item.repo,
    kind: item.kind,
    lang: item.lang,
    goldFiles: item.gold_files.length,
    goldSymbols: item.gold_symbols.length,
    fileSignals: fileNames,
    rowSignals: [...ownNames, ...ofFile],
    shipped: weights,
    files: signals.fileCandidates.map((file) => ({
      file,
      right: gold.has(index.files[file]?.path ?? '') ? 1 : 0,
      values: fileNames.map((name) => round(signals.files[name]?.[file])),
    })),
    rows: signals.rowCandidates.map((row) => {
      const values = rowValues(corpus, signals, behind, row);
      const { name, start, file } = index.rows[row] as Corpus['index']['rows'][number];
      const path = index.files[file]?.path ?? '';
      return {
        file,
        right: item.gold_symbols.findIndex((one) => isSame(one, { file: path, name, start })),
        values: [...ownNames, ...ofFile].map((one) => round(values(one))),
      };
    }),
  };
}
