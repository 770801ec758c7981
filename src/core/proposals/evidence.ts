import type { EvidenceRef } from './model';

/** One piece of material for the proposer: what it is, the words it is shown with, and the id it is cited by. */
export interface OfferedEvidence {
  id: string;
  ref: EvidenceRef;
  heading: string;
  text: string;
}

export interface EvidenceSources {
  flaw?: { id: string; title: string; why: string; failingRuns: number; passingRuns: number; runsLookedAt: number };
  steps?: readonly { run: string; step: number; text: string; task?: string | null }[];
  units?: readonly UnitFacts[];
  sites?: readonly PlaceFacts[];
}

/** The facts of a handbook unit that a proposer is shown. */
export interface UnitFacts {
  id: string;
  title: string;
  summary: string;
  reasons?: readonly string[];
  sites: readonly PlaceFacts[];
  /** Text of its page; the facts above when absent. */
  page?: string;
}

export interface PlaceFacts {
  file: string;
  symbol: string;
  start: number;
  end: number;
}

/** Longer texts are cut, with a notice: a trace step may hold a whole file. */
const longestText = 6_000;

/** Gives every piece its id: F1 for the flaw, E1... for steps, U1... for units, S1... for places. */
export function offerEvidence({ flaw, steps = [], units = [], sites = [] }: EvidenceSources): OfferedEvidence[] {
  const offered: OfferedEvidence[] = [];
  if (flaw) {
    const counts = `seen in ${flaw.failingRuns} failing and ${flaw.passingRuns} passing of ${flaw.runsLookedAt} runs`;
    offered.push({
      id: 'F1',
      ref: { kind: 'flaw', flaw: flaw.id },
      heading: `flaw record: ${flaw.why}`,
      text: `${flaw.title}; ${counts}`,
    });
  }
  steps.forEach(({ run, step, text, task }, index) => {
    offered.push({
      id: `E${index + 1}`,
      ref: { kind: 'step', run, step },
      heading: `step ${step} of a run${task ? ` of task ${task}` : ''}`,
      text: cut(text),
    });
  });
  units.forEach((unit, index) => {
    const facts = [unit.summary, ...(unit.reasons ?? []), ...unit.sites.slice(0, 5).map(placeText)].join('\n');
    offered.push({
      id: `U${index + 1}`,
      ref: { kind: 'unit', unit: unit.id },
      heading: `handbook unit: ${unit.title}`,
      text: cut(unit.page ?? facts),
    });
  });
  sites.forEach((site, index) => {
    offered.push({
      id: `S${index + 1}`,
      ref: { kind: 'site', file: site.file, start: site.start, end: site.end },
      heading: 'place in the code',
      text: placeText(site),
    });
  });
  return offered;
}

function placeText({ file, symbol, start, end }: PlaceFacts): string {
  return `${file}:${start}-${end}${symbol ? ` ${symbol}` : ''}`;
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return `${text.slice(0, half)}\n[... ${text.length - longestText} characters left out ...]\n${text.slice(-half)}`;
}
