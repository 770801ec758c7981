/** How much each signal counts; fitted by `bench/locate/fit.py`, see `bench/locate/README.md`. */
export const weights: { file: Record<string, number>; row: Record<string, number> } = {
  file: { words: 1.56, path: 1.12, coverage: 1.03, rank: 0.34, churn: 0.35, messages: 1.16, hop: 0.75 },
  row: {
    words: 1.63,
    name: 1.31,
    coverage: 1.0,
    rank: 0.2,
    churn: 0.18,
    messages: 0.51,
    hop: 0.5,
    length: 0.37,
    isClass: -0.48,
    rankInFile: 0.17,
    'file.words': 0.38,
    'file.churn': 0.32,
    'file.messages': 0.4,
    'file.coverage': 0.37,
    'file.length': -0.34,
    behind: 0.17,
    near: 0.14,
    unit: 0.8,
  },
};
