import type { FlawRecord } from '../../core/diagnosis';
import type { ProposalSubject } from '../work/methods';

/** What a chat message asks for: the flaw whose id stands in it, with the other words as the wish, or a free request. */
export function chatSubject(prompt: string, flaws: readonly Pick<FlawRecord, 'id'>[]): ProposalSubject {
  const flaw = flaws.find(({ id }) => asWord(id).test(prompt));
  if (!flaw) return { kind: 'request', request: prompt };
  const request = prompt.replace(asWord(flaw.id), '').replace(/\s+/g, ' ').trim();
  return { kind: 'flaw', flaw: flaw.id, ...(request ? { request } : {}) };
}

/** An id where it stands alone; the same letters within a longer id are another flaw. */
function asWord(id: string): RegExp {
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
}
