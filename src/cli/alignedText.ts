import { createTwoFilesPatch } from 'diff';
import type { Link } from '../core/links';
import type { AlignedRow, RunAlignment, TurnSummary } from '../core/traces';

const around = 3;
const width = 56;
const marks = { same: ' ', changed: '~', onlyFirst: '<', onlySecond: '>' };

/** The rows of two runs side by side, those around the divergence unless all are asked for, and the code behind it. */
export function alignedText(
  alignment: RunAlignment,
  sites: { first: Link[]; second: Link[] } | null,
  all: boolean,
): string {
  const { rows, matters, counts } = alignment;
  const lines = [alignment.sentence];
  const parts = rows.findIndex((row) => row.state !== 'same');
  if (parts === -1 && !all) return lines.join('\n');
  const middle = matters?.row ?? parts;
  const [from, to] = all ? [0, rows.length] : [Math.max(0, middle - around), middle + around + 1];
  lines.push(
    `rows: ${counts.same} same, ${counts.changed} changed (~), ${counts.onlyFirst} only first (<), ${counts.onlySecond} only second (>)`,
    '',
  );
  if (from > 0) lines.push(`  (${from} rows before)`);
  rows.slice(from, to).forEach((row, at) => {
    lines.push(rowLine(row, from + at === matters?.row));
  });
  if (to < rows.length) lines.push(`  (${rows.length - to} rows after; --all prints them)`);
  if (alignment.approximate) lines.push('The runs are long; turns that moved far may stand alone.');
  if (sites !== null && matters !== null) {
    lines.push('', ...codeLines('first', matters.firstStep, sites.first));
    lines.push(...codeLines('second', matters.secondStep, sites.second));
  }
  return lines.join('\n');
}

function rowLine(row: AlignedRow, here: boolean): string {
  const why = row.differs.length > 0 ? `  [${row.differs.join(', ')}]` : '';
  return `${here ? '=>' : '  '}${marks[row.state]} ${side(row.first).padEnd(width)} | ${side(row.second)}${why}`.trimEnd();
}

function side(turn: TurnSummary | null): string {
  if (turn === null) return '';
  const calls = turn.calls.map(({ name, preview }) => `${name} ${preview}`).join('; ');
  const text = `${turn.step} ${calls === '' ? `"${turn.said}"` : calls}`;
  const result = turn.result.class === 'ok' || turn.result.class === 'none' ? '' : ` (${turn.result.class})`;
  return `${text.length > width - result.length ? `${text.slice(0, width - result.length - 3)}...` : text}${result}`;
}

function codeLines(name: string, step: number | null, links: readonly Link[]): string[] {
  if (step === null) return [`${name} run: ended`];
  if (links.length === 0) return [`${name} run, step ${step}: nothing in the step is backed by harness code`];
  return [
    `${name} run, step ${step}:`,
    ...links.map((link) => `  ${link.file}:${link.start}-${link.end}  ${link.symbol}  [${link.kind}: ${link.reason}]`),
  ];
}

/** Two prompts as a unified diff. */
export function promptDiffText(prompts: {
  firstStep: number;
  secondStep: number;
  first: string;
  second: string;
}): string {
  const { firstStep, secondStep, first, second } = prompts;
  if (first === second) return `Step ${firstStep} of the first run and step ${secondStep} of the second say the same.`;
  const patch = createTwoFilesPatch(`first, step ${firstStep}`, `second, step ${secondStep}`, first, second);
  return patch.split('\n').slice(1).join('\n').trimEnd();
}
