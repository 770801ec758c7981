import type { CallFact, FileFacts } from './fileFacts';

/** Facts that only the links of the file itself need: three quarters of all. */
export const bodyLists = ['calls', 'accesses', 'strings', 'tools', 'configurations'] as const;
export type Body = Pick<FileFacts, (typeof bodyLists)[number]>;

/** A call that hands over something with a name: what the parameters of the callee may hold. */
export type HandedCall = Pick<CallFact, 'scope' | 'callee'> & { arguments: string[] };

/** Facts that other files ask for. */
export type Outline = Omit<FileFacts, keyof Body> & { handed: HandedCall[] };

/** Cuts facts in two. */
export function splitFacts(facts: FileFacts): { outline: Outline; body: Body } {
  const { calls, accesses, strings, tools, configurations, ...rest } = facts;
  const handed: HandedCall[] = [];
  for (const { scope, callee, arguments: given } of calls) {
    // Texts are no names; where nothing else is handed over, nothing is kept.
    const named = given?.map((argument) => (argument.startsWith('"') ? '' : argument)) ?? [];
    const last = named.findLastIndex((argument) => argument !== '');
    if (last >= 0) handed.push({ scope, callee, arguments: named.slice(0, last + 1) });
  }
  return { outline: { ...rest, handed }, body: { calls, accesses, strings, tools, configurations } };
}
