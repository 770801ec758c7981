import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { kindWords, tellingKinds } from '../vocabulary';
import type { Draft } from './drafts';
import type { Relations } from './relations';
import type { Step } from './steps';

/** One or two sentences of a unit, made of graph facts only, without numbers that an edit of a constant would change. */
export function summaryOf(
  draft: Draft,
  relations: Relations,
  graph: ProgramGraph,
  titles: ReadonlyMap<string, string>,
  steps: readonly Step[],
): string {
  const sentences: string[] = [];
  if (draft.kind === 'main_loop') {
    const order = loopOrder(steps);
    if (order !== '') sentences.push(`Each round: ${order}.`);
  }
  const doc = draft.members.map((id) => graph.node(id)).find((node) => node?.doc && node.kind !== 'prompt')?.doc;
  if (doc && !draft.region) sentences.push(`The source says: "${plainText(doc)}"`);
  const prompt = draft.members.map((id) => graph.node(id)).find((node) => node?.kind === 'prompt');
  if (prompt) sentences.push(promptWords(prompt));
  const tool = draft.members.map((id) => graph.node(id)).find((node) => node?.kind === 'tool');
  if (tool) sentences.push(`The model sees it as \`${tool.name}\`${tool.signature ? ` with ${tool.signature}` : ''}.`);
  if (relations.boundaries.length > 0)
    sentences.push(`Crosses to ${listed(relations.boundaries.map(boundaryWords), 3)}.`);
  if (draft.kind === 'config_defaults') sentences.push(keysOf(draft, graph));
  else if (relations.calls.length > 0)
    sentences.push(
      `Calls ${listed(
        relations.calls.map((id) => titles.get(id) ?? id),
        3,
      )}.`,
    );
  if (relations.writes.length > 0)
    sentences.push(
      `Writes ${listed(
        relations.writes.map((name) => `\`${name}\``),
        3,
      )}.`,
    );
  if (sentences.length === 0 && draft.region)
    sentences.push(`A region of \`${draft.sites[0]?.symbol || draft.sites[0]?.file || ''}\`.`);
  if (sentences.length === 0)
    sentences.push(
      draft.members.length === 0
        ? `A text in ${draft.sites[0]?.file ?? ''}.`
        : `Holds ${count(draft.members.length, 'definition')} of ${draft.sites[0]?.file ?? ''}.`,
    );
  return sentences.filter(Boolean).slice(0, 2).join(' ');
}

const mostKinds = 8;

/** Kinds of the steps inside the loop where each comes first; a long round names the telling ones and counts the others. */
function loopOrder(steps: readonly Step[]): string {
  const kinds = new Set<UnitKind>();
  for (const step of steps) if (step.phase === 'loop' && !step.whole && step.kind !== 'loop_step') kinds.add(step.kind);
  const titles = tellingKinds([...kinds], mostKinds).map((kind) => kindWords[kind].title.toLowerCase());
  const more = kinds.size > titles.length ? ` and ${kinds.size - titles.length} more kinds of steps` : '';
  return `${titles.join(', ')}${more}`;
}

function promptWords(node: GraphNode): string {
  const names = node.signature ? ` Needs ${node.signature.split(' ').slice(0, 8).join(', ')}.` : '';
  if (!node.doc) return `Text for the model.${names}`;
  const isSkill = /(^|\/)SKILL\.md$/.test(node.file);
  return `${isSkill ? 'A skill, which says of itself' : 'Starts with'} "${plainText(node.doc, isSkill ? 240 : undefined)}".${names}`;
}

function keysOf(draft: Draft, graph: ProgramGraph): string {
  const keys = draft.members
    .map((id) => graph.node(id))
    .filter((node) => node?.kind === 'config' || node?.kind === 'variable' || node?.kind === 'attribute');
  return keys.length === 0
    ? ''
    : `Holds ${listed(
        keys.map((node) => `\`${node?.name}\``),
        6,
      )}.`;
}

function boundaryWords(text: string): string {
  const at = text.indexOf(' ');
  return `the ${text.slice(0, at)} (\`${text.slice(at + 1)}\`)`;
}

/** `a, b and 4 more`. */
export function listed(items: readonly string[], most: number): string {
  const shown = items.slice(0, most);
  if (items.length > most) return `${shown.join(', ')} and ${items.length - most} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function plainText(text: string, most = 160): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[`"<>]/g, "'")
    .trim()
    .slice(0, most);
}
