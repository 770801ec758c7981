import type { Hunk, HunkState, Proposal } from '../core/proposals';
import { gateLines } from './commands/proposalsCheck';
import { counted, money } from './words';

export interface HunkWithState {
  hunk: Hunk;
  state: HunkState;
  line: number | null;
  reason?: string;
}

const linesShown = 12;

/** A proposal for reading: decisions with their reasons and hunks, gates, what was refused, prediction, cost. */
export function proposalText(proposal: Proposal, hunks: readonly HunkWithState[]): string {
  const lines = [`${proposal.id}  ${proposal.title}`];
  for (const decision of proposal.decisions) {
    const own = hunks.filter(({ hunk }) => hunk.decision === decision.id);
    lines.push('', `${decision.id}  ${decision.title}   (${counted(own.length, 'hunk')})`, `    ${decision.rationale}`);
    for (const entry of own) lines.push(...hunkLines(entry));
  }
  lines.push('');
  lines.push(...proposal.gates.flatMap(gateLines));
  for (const { file, reason } of proposal.refused) lines.push(`refused: ${file}: ${reason}`);
  const { fixes, atRisk } = proposal.prediction;
  lines.push(
    `predicted: fixes ${fixes.join(', ') || 'nothing named'}; at risk ${atRisk.join(', ') || 'nothing named'}`,
  );
  const { id, inputTokens, outputTokens, costUsd } = proposal.model;
  lines.push(`model: ${id}, ${inputTokens ?? '?'} tokens in, ${outputTokens ?? '?'} out, ${money(costUsd)}`);
  return lines.join('\n');
}

function hunkLines({ hunk, state, line, reason }: HunkWithState): string[] {
  const head = `    hunk ${hunk.number}  ${hunk.file}${line === null ? '' : `:${line}`}  ${state}${reason ? ` (${reason})` : ''}`;
  const changed = [...hunk.removed.map((text) => `-${text}`), ...hunk.added.map((text) => `+${text}`)].map(
    (text) => `      ${text.replace(/[\r\n]+$/, '')}`,
  );
  const cut = changed.length > linesShown ? [`      ... ${changed.length - linesShown} more lines`] : [];
  return [head, ...changed.slice(0, linesShown), ...cut];
}
