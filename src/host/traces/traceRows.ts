import type { TraceRow } from '../../../webview/shared/traceProtocol';
import type { Finding } from '../../core/diagnosis/model';
import type { Link } from '../../core/links/model';
import type { StepSummary } from '../../core/traces/model';
import { findingTitle } from './traceHead';
import { whoSpeaks } from './words';

/** A row shows this many links; the others are in the step's list of places. */
const linksShown = 3;

/** Names and labels are cut here: they are words, unless somebody put a file into one. */
const nameLimit = 200;
const reasonLimit = 500;

/** The row of a step. `links` are best first, `unitTitle` names units for people. */
export function traceRow(
  summary: StepSummary,
  links: readonly Link[],
  findings: readonly Finding[],
  unitTitle: (unit: string) => string | null,
  same: TraceRow['same'] = null,
  relations: TraceRow['relations'] = [],
): TraceRow {
  return {
    n: summary.n,
    kind: summary.kind,
    who: whoSpeaks(summary.kind, summary.event, summary.n, false),
    preview: summary.preview.slice(0, 400),
    textLength: summary.textLength,
    calls: summary.calls
      .slice(0, 10)
      .map((call) => ({ name: call.name.slice(0, nameLimit), preview: call.preview.slice(0, 300) })),
    isError: summary.isError,
    tokensOut: summary.tokensOut,
    time: summary.time ?? null,
    copied: summary.copied ?? false,
    links: links.slice(0, linksShown).map((link, index) => ({
      index,
      label: linkLabel(link).slice(0, nameLimit),
      unit: link.unit ? (unitTitle(link.unit)?.slice(0, nameLimit) ?? null) : null,
      reason: link.reason.slice(0, reasonLimit),
      kind: link.kind,
      confidence: link.confidence,
    })),
    findings: findings
      .filter((finding) => finding.steps.includes(summary.n))
      .map(findingTitle)
      .slice(0, 5),
    same,
    relations,
  };
}

/** `output.ts:33 truncate`; the folder only where the name alone says nothing. */
export function linkLabel(link: Pick<Link, 'file' | 'start' | 'end' | 'symbol'>): string {
  const name = link.file.split('/').pop()!;
  const file = /^(index|__init__|main|mod)\./.test(name) ? link.file.split('/').slice(-2).join('/') : name;
  return `${file}:${link.start} ${link.symbol}`.trim();
}
