import { InputError } from '../core/errors';

/** Holds the address where a command line, which others can list, should not show its password. */
export const queueVariable = 'HARNESSMITH_QUEUE';

/** The address from an option, or from the environment when the option has no value. @throws InputError */
export function queueAddress(given: string | true | undefined, option: string): string {
  const address = typeof given === 'string' ? given : process.env[queueVariable];
  if (address) return address;
  throw new InputError('There is no address of a queue.', {
    code: 'usage',
    nextStep: `Give ${option} redis://HOST:PORT, or set ${queueVariable}.`,
  });
}
