import type { GraphNode } from '../graph';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';

/** One line of a traceback. */
interface Frame {
  path: string;
  line: number;
  /** Name of the function as the traceback gives it, when it does. */
  name: string | null;
}

const PYTHON = /File "([^"\n]{1,400})", line (\d{1,7})(?:, in ([^\s\n]{1,200}))?/g;
const NODE =
  /^\s*at (?:async )?(?:(?:new )?([\w$.<>[\] ]{1,200}?) (?:\[as [^\]]+\] )?\()?(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():]{1,400}):(\d{1,7}):\d{1,7}\)?/gm;
const MOST_FRAMES = 200;

/**
 * Links from tracebacks (Python and Node.js) in a text to the functions of the harness they name. Paths are those of
 * another machine or a container: they are joined to files of the harness by their longest common end.
 */
export function frameLinks(index: LinkIndex, step: number, text: string): Link[] {
  const links: Link[] = [];
  const seen = new Set<string>();
  for (const frame of innermostFirst(text)) {
    const found = placeOf(index, frame);
    if (found === null) continue;
    const { node, place, confidence, how } = found;
    const id = `${place.file}:${node?.id ?? place.start}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const depth = links.length === 0 ? 'innermost harness frame' : `${links.length} frames further out`;
    links.push(
      index.places.link(
        step,
        'frame',
        place,
        confidence - links.length * 0.05,
        `traceback, ${depth}: ${frame.path}:${frame.line}; ${how}`,
      ),
    );
    if (links.length >= 4) break;
  }
  return links;
}

function innermostFirst(text: string): Frame[] {
  const python = [...text.matchAll(PYTHON)].slice(-MOST_FRAMES).reverse();
  const node = [...text.matchAll(NODE)].slice(0, MOST_FRAMES);
  return [
    ...python.map(([, path = '', line, name]) => ({ path, line: Number(line), name: name ?? null })),
    ...node.map(([, name, path = '', line]) => ({ path, line: Number(line), name: name?.split('.').at(-1) ?? null })),
  ];
}

interface Found {
  node: GraphNode | undefined;
  place: { file: string; symbol: string; start: number; end: number };
  confidence: number;
  how: string;
}

function placeOf(index: LinkIndex, { path, line, name }: Frame): Found | null {
  if (/node_modules|^node:|<frozen|<string>/.test(path)) return null;
  let best: Found | null = null;
  for (const { file, segments } of filesEndingLike(index, path)) {
    const around = index.graph.enclosing(file, line);
    const named = name !== null && around !== undefined && around.name === name;
    const elsewhere =
      named || name === null
        ? undefined
        : index.graph.inFile(file).find((node) => node.name === name && node.kind !== 'class');
    const agreement = named ? 0.95 : elsewhere !== undefined ? 0.75 : segments >= 3 && around !== undefined ? 0.55 : 0;
    // One equal file name proves nothing unless the function agrees as well.
    const confidence = segments >= 2 ? agreement : agreement * 0.65;
    if (confidence < 0.45 || (best !== null && confidence <= best.confidence)) continue;
    const node = elsewhere ?? around;
    const symbol = node?.qualname ?? '';
    const place =
      elsewhere === undefined
        ? { file, symbol, start: line, end: line }
        : { file, symbol, start: elsewhere.start, end: elsewhere.end };
    const how = named
      ? `function and line agree with ${file}`
      : elsewhere === undefined
        ? `line of ${file}`
        : `function of ${file}, its line has changed`;
    best = { node, place, confidence, how };
  }
  return best;
}

/** Harness files with the longest common end with a path, in whole segments. */
function filesEndingLike(index: LinkIndex, path: string): { file: string; segments: number }[] {
  const wanted = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  let longest = 0;
  let found: { file: string; segments: number }[] = [];
  for (const { path: file } of index.graph.data.files) {
    const parts = file.split('/');
    let segments = 0;
    while (segments < Math.min(parts.length, wanted.length) && parts.at(-1 - segments) === wanted.at(-1 - segments))
      segments += 1;
    if (segments === 0 || segments < longest) continue;
    if (segments > longest) found = [];
    longest = segments;
    found.push({ file, segments: segments === parts.length ? Math.max(segments, 2) : segments });
  }
  return found;
}
