import type { GraphNode } from '../graph';
import type { TraceRoot } from './context';
import { type Frame, framesIn, isForeign } from './frames';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import type { Place } from './places';

const MOST_LINKED = 4;

/**
 * Links from tracebacks (Python, Node.js, Go, Rust) in a text to the functions of the harness they name. Paths are those of
 * another machine or a container: known roots say where they lie, else their longest common end with a file does.
 */
export function frameLinks(index: LinkIndex, step: number, text: string, roots: readonly TraceRoot[] = []): Link[] {
  const links: Link[] = [];
  const seen = new Set<string>();
  for (const frame of framesIn(text)) {
    const found = placeOf(index, frame, roots);
    if (found === null) continue;
    const { node, place, confidence, how } = found;
    const id = `${place.file}:${node?.id ?? place.start}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const depth = links.length === 0 ? 'innermost harness frame' : `${links.length} frames further out`;
    const reason = `traceback, ${depth}: ${frame.path}:${frame.line}; ${how}`;
    links.push(index.places.link(step, 'frame', place, confidence - links.length * 0.05, reason));
    if (links.length >= MOST_LINKED) break;
  }
  return links;
}

interface Found {
  node: GraphNode | undefined;
  place: Place;
  confidence: number;
  how: string;
}

/** Where a frame lies in the harness; null when no file agrees well enough. */
function placeOf(index: LinkIndex, frame: Frame, roots: readonly TraceRoot[]): Found | null {
  if (isForeign(frame)) return null;
  const rooted = underRoot(index, frame.path, roots);
  if (rooted !== null) {
    const found = foundIn(index, frame, rooted.file, 3);
    if (found.confidence > 0)
      return { ...found, how: `${found.how}, as ${rooted.root.prefix} is ${rooted.root.folder || 'the harness'}` };
  }
  let best: Found | null = null;
  for (const { file, segments } of index.files.endingLike(frame.path)) {
    const found = foundIn(index, frame, file, segments);
    if (found.confidence >= 0.45 && (best === null || found.confidence > best.confidence)) best = found;
  }
  return best;
}

function underRoot(index: LinkIndex, path: string, roots: readonly TraceRoot[]) {
  for (const root of roots) {
    if (!path.startsWith(`${root.prefix}/`)) continue;
    const file = [root.folder, path.slice(root.prefix.length + 1)].filter((part) => part !== '').join('/');
    if (index.files.has(file)) return { root, file };
  }
  return null;
}

function foundIn(index: LinkIndex, { line, name }: Frame, file: string, segments: number): Found {
  const around = index.graph.enclosing(file, line);
  const named = name !== null && around !== undefined && around.name === name;
  const elsewhere =
    named || name === null
      ? undefined
      : index.graph.inFile(file).find((node) => node.name === name && node.kind !== 'class');
  const agreement = named ? 0.95 : elsewhere !== undefined ? 0.75 : segments >= 3 && around !== undefined ? 0.55 : 0;
  // One equal file name proves nothing unless the function agrees as well.
  const confidence = segments >= 2 ? agreement : agreement * 0.65;
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
  return { node, place, confidence, how };
}
