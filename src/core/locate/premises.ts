import type { GraphNode, ProgramGraph } from '../graph';
import type { Sources } from '../handbook';
import type { Premise } from './model';
import { partsOf, stem, termsOf } from './tokens';

/** At most this many premises are shown; a request rarely rests on more. */
const maximumPremises = 10;

/**
 * Compares what a request takes for granted with the source: quoted text, names written as in code, and numbers of
 * limits and defaults ("raise the step limit from 8 to 10" where the value is 12).
 */
export function checkPremises(request: string, graph: ProgramGraph, sources: Sources): Premise[] {
  const premises = [
    ...quotedText(request, graph, sources),
    ...codeNames(request, graph, sources),
    ...namedValues(request, graph),
  ];
  const seen = new Set<string>();
  return premises
    .filter((premise) => {
      const key = `${premise.mention}|${premise.file}|${premise.line}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, maximumPremises);
}

function quotedText(request: string, graph: ProgramGraph, sources: Sources): Premise[] {
  const premises: Premise[] = [];
  for (const match of request.matchAll(
    /"([^"\n]{3,200})"|`([^`\n]{2,200})`|(?<![\w])'([^'\n]{3,200})'(?!\w)|“([^”\n]{3,200})”/g,
  )) {
    const mention = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    premises.push(occurrence(mention, graph, sources));
  }
  return premises;
}

/** `snake_case`, `camelCase`, `a.b`, `--flag` and paths are meant as they stand. */
function codeNames(request: string, graph: ProgramGraph, sources: Sources): Premise[] {
  const bare = request.replace(/"[^"\n]*"|`[^`\n]*`/g, ' ');
  const names =
    bare.match(
      /--[a-z][\w-]+|[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]+(?:_[A-Z0-9]+)+\b|[\w./-]+\/[\w.-]+/g,
    ) ?? [];
  return [...new Set(names)]
    .filter((name) => !/^(e\.g|i\.e)$/.test(name))
    .map((name) => occurrence(name.replace(/\(\)$/, ''), graph, sources));
}

/** First place of a text: a definition of that name, a file of that path, else the first line that holds it. */
function occurrence(mention: string, graph: ProgramGraph, sources: Sources): Premise {
  const node = graph.data.nodes.find(
    (candidate) =>
      candidate.kind !== 'boundary' &&
      candidate.file !== '' &&
      (candidate.qualname === mention || candidate.name === mention),
  );
  if (node)
    return {
      mention,
      found: true,
      value: node.detail?.slice(0, 120) ?? node.signature?.slice(0, 120) ?? node.qualname,
      file: node.file,
      line: node.start,
    };
  for (const file of graph.data.files) {
    if (file.path === mention || file.path.endsWith(`/${mention}`))
      return { mention, found: true, value: file.path, file: file.path, line: 1 };
  }
  for (const file of graph.data.files) {
    const lines = sources.lines(file.path);
    const at = lines.findIndex((line) => line.includes(mention));
    if (at !== -1)
      return { mention, found: true, value: (lines[at] ?? '').trim().slice(0, 120), file: file.path, line: at + 1 };
  }
  return { mention, found: false, value: '', file: '', line: 0 };
}

/** Constants, attributes and configuration keys whose whole name the request says, with their current value. */
function namedValues(request: string, graph: ProgramGraph): Premise[] {
  const words = termsOf(request);
  const premises: { premise: Premise; words: number }[] = [];
  const stated = statedValue(request);
  for (const { node, parts } of settingsOf(graph)) {
    if (!parts.every((part) => words.has(part))) continue;
    if (parts.length === 1 && stated === undefined) continue;
    const value = (node.detail ?? '').trim();
    const found = stated === undefined || sameValue(stated, value);
    const mention = stated === undefined ? node.name : `${node.name} is ${stated}`;
    premises.push({
      premise: { mention, found, value: value.slice(0, 120), file: node.file, line: node.start },
      words: parts.length,
    });
  }
  const most = Math.max(0, ...premises.map((item) => item.words));
  return premises.filter((item) => item.words === most).map((item) => item.premise);
}

interface Setting {
  node: GraphNode;
  parts: string[];
}

const settings = new WeakMap<ProgramGraph, Setting[]>();

/** Settings of a graph with the words of their names; split once a graph. */
function settingsOf(graph: ProgramGraph): Setting[] {
  const known = settings.get(graph);
  if (known) return known;
  const made = graph.data.nodes.filter(isSetting).flatMap((node): Setting[] => {
    const parts = partsOf(node.name)
      .map(stem)
      .filter((part) => part !== 'default');
    return parts.length === 0 ? [] : [{ node, parts }];
  });
  settings.set(graph, made);
  return made;
}

function isSetting(node: GraphNode): boolean {
  if (node.file === '' || !node.detail) return false;
  if (node.kind === 'config') return true;
  return (node.kind === 'variable' || node.kind === 'attribute') && /^[-\d.'"tTfFnN]/.test(node.detail.trim());
}

/** The value a request claims to be there now: "from 8 to 10", "currently 8", "the default of 8", "the 8 step limit". */
function statedValue(request: string): string | undefined {
  const number = '(-?\\d[\\d_,]*(?:\\.\\d+)?)';
  const forms = [
    `\\bfrom\\s+${number}`,
    `\\bcurrent(?:ly)?(?:\\s+(?:is|at|value|set to|of))*\\s+${number}`,
    `\\bdefault(?:s)?(?:\\s+(?:is|of|to|value))*\\s+${number}`,
    `\\binstead of\\s+${number}`,
    `\\bnot\\s+${number}`,
  ];
  for (const form of forms) {
    const found = new RegExp(form, 'i').exec(request)?.[1];
    if (found) return found;
  }
  return undefined;
}

function sameValue(stated: string, value: string): boolean {
  const plain = (text: string): string => text.replace(/[_,'"\s]/g, '');
  const a = Number(plain(stated));
  const b = Number(plain(value));
  return Number.isFinite(a) && Number.isFinite(b) && plain(value) !== '' ? a === b : plain(stated) === plain(value);
}
