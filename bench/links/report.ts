import type { Link } from '../../src/core/links';
import { statistics } from '../../src/core/validation';
import type { Gold, Item } from './items';

/** What the links of one item came to. */
export interface Answer {
  item: Item;
  step: number | null;
  links: Link[];
}

export function isHit(link: Link, gold: readonly Gold[]): boolean {
  return gold.some((place) => place.file === link.file && link.start <= place.end && link.end >= place.start);
}

function isStrict(link: Link, gold: Gold | undefined): boolean {
  if (gold === undefined || gold.file !== link.file) return false;
  const onLine = gold.literalLines?.some((line) => link.start <= line && line <= link.end) ?? false;
  return onLine || gold.symbol.split('.').at(-1) === link.symbol.split('.').at(-1);
}

/** A table: items, links shown, right first ones and right ones among the first three, by a property of the items. */
export function table(title: string, answers: readonly Answer[], groupOf: (answer: Answer) => string): string {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) groups.set(groupOf(answer), [...(groups.get(groupOf(answer)) ?? []), answer]);
  const rows = [...groups].sort(([left], [right]) => left.localeCompare(right)).map(([name, own]) => row(name, own));
  return [`${title.padEnd(36)}    n  linked  first           first three     strict first/three`, ...rows, ''].join(
    '\n',
  );
}

export function row(name: string, answers: readonly Answer[]): string {
  const count = (holds: (answer: Answer) => boolean) => answers.filter(holds).length;
  const first = count(({ links, item }) => links.slice(0, 1).some((link) => isHit(link, item.gold)));
  const three = count(({ links, item }) => links.slice(0, 3).some((link) => isHit(link, item.gold)));
  const strictFirst = count(({ links, item }) => links.slice(0, 1).some((link) => isStrict(link, item.gold[0])));
  const strictThree = count(({ links, item }) => links.slice(0, 3).some((link) => isStrict(link, item.gold[0])));
  const linked = count(({ links }) => links.length > 0);
  return [
    name.padEnd(36),
    String(answers.length).padStart(5),
    String(linked).padStart(7),
    ` ${share(first, answers.length)}`,
    share(three, answers.length),
    `${strictFirst}/${strictThree}`,
  ].join(' ');
}

/** A count with its share and the 95 % interval of that. */
function share(count: number, of: number): string {
  const [lower, upper] = statistics.wilson(count, of);
  const percent = (value: number) => String(Math.round(100 * value));
  return `${count} = ${percent(count / of)} % [${percent(lower)}-${percent(upper)}]`.padEnd(22);
}

/** What was looked for and what was found, for reading by eye. */
export function details({ item, step, links }: Answer): string {
  const rank = links.slice(0, 3).findIndex((link) => isHit(link, item.gold));
  const mark = rank === 0 ? 'FIRST' : rank > 0 ? 'three' : 'MISS ';
  const gold = item.gold.map((place) => `${place.file}:${place.start}-${place.end} ${place.symbol}`).join(' | ');
  const shown = links
    .slice(0, 5)
    .map(
      (link) =>
        `    ${link.confidence} ${link.kind} ${link.file}:${link.start}-${link.end} ${link.symbol} (${link.reason.slice(0, 160)})`,
    );
  return [`${item.id} ${mark} ${item.kind} ${item.trace} ${item.step} = step ${step}: ${gold}`, ...shown].join('\n');
}
