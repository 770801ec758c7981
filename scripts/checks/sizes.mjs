// Size of things: long files, long entry, share of files that know the editor, tests against source.
import { countLines, linesMatching, ownCode, projectFiles, sourceFiles, textOf } from './sources.mjs';

const longest = 500;
const usual = 350;
const entryLines = 100;
const hostShare = 0.35;
const testShare = 0.54;

function fileLengths() {
  const lengths = ownCode().map((path) => ({ path, lines: countLines(textOf(path)) }));
  const source = lengths.filter(({ path }) => /^(src|webview)\//.test(path)).map(({ lines }) => lines);
  source.sort((left, right) => left - right);
  const quantile = (share) => source[Math.min(source.length - 1, Math.floor(share * source.length))] ?? 0;
  const problems = lengths
    .filter(({ lines }) => lines > longest)
    .map(({ path, lines }) => `${path} has ${lines} lines; more than ${longest}.`);
  if (quantile(0.95) > usual)
    problems.push(`The 95th percentile of file length is ${quantile(0.95)}; more than ${usual}.`);
  return {
    problems,
    note: `median ${quantile(0.5)}, 95th percentile ${quantile(0.95)}, longest ${source.at(-1) ?? 0}`,
  };
}

function entry() {
  if (!projectFiles().includes('src/extension.ts')) return ['src/extension.ts is missing.'];
  const lines = countLines(textOf('src/extension.ts'));
  return { problems: lines > entryLines ? [`src/extension.ts has ${lines} lines.`] : [], note: `${lines} lines` };
}

function editorShare() {
  const files = sourceFiles();
  const touching = files.filter((path) => /from 'vscode'|require\('vscode'\)/.test(textOf(path)));
  const share = touching.length / files.length;
  const note = `${touching.length} of ${files.length} files, ${Math.round(share * 100)} %`;
  return { problems: share > hostShare ? [`More than ${hostShare * 100} % of the files import vscode.`] : [], note };
}

function testLines() {
  const sum = (paths) => paths.reduce((lines, path) => lines + countLines(textOf(path)), 0);
  const tests = ownCode().filter((path) => /^test\//.test(path) && /\.(ts|tsx|mts)$/.test(path));
  const [test, source] = [sum(tests), sum(sourceFiles())];
  const note = `${test} test lines for ${source} source lines, ${(test / source).toFixed(2)}`;
  return { problems: test / source < testShare ? [`Fewer than ${testShare} test lines a source line.`] : [], note };
}

function commentShare() {
  let comments = 0;
  let lines = 0;
  for (const path of sourceFiles()) {
    for (const line of textOf(path).split('\n')) {
      if (line.trim() === '') continue;
      lines += 1;
      if (/^\s*(\/\/|\/\*|\*)/.test(line)) comments += 1;
    }
  }
  const share = (100 * comments) / lines;
  const problems = share < 5 || share > 16 ? ['Comments should be 8 to 12 % of the lines (5 to 16 are let pass).'] : [];
  return { problems, note: `${share.toFixed(1)} % of the lines` };
}

const code = () => ownCode().filter((path) => /\.(ts|tsx|mts)$/.test(path));

export const checks = [
  { title: `no file over ${longest} lines`, find: fileLengths },
  { title: `entry file at most ${entryLines} lines`, find: entry },
  { title: `at most ${hostShare * 100} % of the source files import vscode`, find: editorShare },
  { title: `test lines at least ${testShare} of the source lines`, find: testLines },
  { title: 'comments in measure', find: commentShare },
  {
    title: 'no silenced type error',
    find: () => linesMatching(code(), /@ts-(ignore|nocheck)/),
  },
];
