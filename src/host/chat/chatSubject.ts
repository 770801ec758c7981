import type { FlawRecord } from '../../core/diagnosis';
import type { ProposalSubject } from '../work/methods';

/** What a chat message asks for: the flaw whose id stands in it, with the other words as the wish, or a free request. */
export function chatSubject(prompt: string, flaws: readonly Pick<FlawRecord, 'id'>[]): ProposalSubject {
  const flaw = flaws.find(({ id }) => new RegExp(`(^|[^\\w-])${id}($|[^\\w-])`).test(prompt));
  if (!flaw) return { kind: 'request', request: prompt };
  const request = prompt.replace(flaw.id, '').replace(/\s+/g, ' ').trim();
  return { kind: 'flaw', flaw: flaw.id, ...(request ? { request } : {}) };
}
