import type { Gate, GateContext, GateProblem } from './gate';

/**
 * What the request takes for granted is so: what it names exists and has the value it says. And what a decision says it
 * changes, "from 3 to 5", is what its edits change.
 */
export const premise: Gate = {
  id: 'premise',
  check(context) {
    const claims = claimsOf(context);
    if (context.premises.length === 0 && claims.length === 0) return null;
    return [...ofRequest(context), ...claims.flatMap((claim) => problemOf(claim))];
  },
};

function ofRequest({ premises }: GateContext): GateProblem[] {
  return premises
    .filter((one) => !one.found)
    .map(({ mention, value, file, line }) => {
      if (!value) return { message: `the request speaks of "${mention}", which was not found in the harness` };
      const message = `the request says "${mention}", but the source says ${value}`;
      return { message, ...(file ? { file } : {}), ...(line ? { line } : {}) };
    });
}

interface Claim {
  from: string;
  to: string;
  decision: string;
  file: string;
  removed: string;
  added: string;
}

/** "from 3 to 5" in the title or the rationale of a decision, with the texts that its edits remove and add. */
function claimsOf({ proposal }: GateContext): Claim[] {
  return proposal.decisions.flatMap(({ id, title, rationale, edits }) => {
    const said = [
      ...`${title}\n${rationale}`.matchAll(
        /\bfrom\s+[`"']?(-?\d[\d_,.]*)[`"']?(?:\s\w+)?\s+to\s+[`"']?(-?\d[\d_,.]*)/gi,
      ),
    ];
    return said.map(([, from, to]) => ({
      from: plain(from!),
      to: plain(to!),
      decision: id,
      file: edits[0]?.file ?? '',
      removed: edits.map((edit) => edit.oldText).join('\n'),
      added: edits.map((edit) => edit.newText).join('\n'),
    }));
  });
}

function problemOf({ from, to, decision, file, removed, added }: Claim): GateProblem[] {
  if (!numbersOf(removed).has(from))
    return [
      { file, message: `decision ${decision} says that the value is ${from} now, which the text it replaces does not` },
    ];
  if (!numbersOf(added).has(to))
    return [{ file, message: `decision ${decision} says that the value becomes ${to}, which its text does not` }];
  return [];
}

function numbersOf(text: string): Set<string> {
  return new Set([...text.matchAll(/-?\d[\d_,.]*/g)].map(([number]) => plain(number)));
}

/** `1_000`, `1,000.` and `1000` are one number. */
function plain(number: string): string {
  return number.replace(/[_,]/g, '').replace(/\.0*$/, '').replace(/\.$/, '');
}
