/** Whether a chain begins with a name, rather than with something unreadable or a value of a built-in type. */
export function isNamed(chain: string): boolean {
  return !chain.startsWith('?') && !chain.startsWith('""');
}
