import type { CommandId } from './ids';

/** Address of a Markdown link that runs a command. Parentheses in arguments must not end the link. */
export function commandLink(command: CommandId, ...args: unknown[]): string {
  const query = encodeURIComponent(JSON.stringify(args)).replaceAll('(', '%28').replaceAll(')', '%29');
  return `command:${command}?${query}`;
}
