import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CancelledError,
  EnvironmentError,
  HarnessmithError,
  InputError,
  messageOf,
  throwIfCancelled,
} from '../../../src/core/errors';
import { LockedError } from '../../../src/core/store';

const details = { code: 'some-code', nextStep: 'Do this.' };

describe('errors', () => {
  it.each([
    [new HarnessmithError('m', details), 1, 'HarnessmithError'],
    [new InputError('m', details), 2, 'InputError'],
    [new EnvironmentError('m', details), 3, 'EnvironmentError'],
    [new CancelledError(), 130, 'CancelledError'],
    [new LockedError('/x.lock', undefined), 1, 'LockedError'],
  ] as const)('%s has the exit code of docs/cli.md, a name, a code and a next step', (error, exitCode, name) => {
    expect(error).toBeInstanceOf(HarnessmithError);
    expect([error.exitCode, error.name]).toEqual([exitCode, name]);
    expect(error.code).toMatch(/^[a-z-]+$/);
    expect(error.nextStep).toMatch(/\w.*\.$/);
  });

  it('keep what caused them for the log', () => {
    const cause = new TypeError('deep');
    expect(new InputError('m', { ...details, cause }).cause).toBe(cause);
  });

  it('have a message whatever was thrown', () => {
    expect(messageOf(new Error('said'))).toBe('said');
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (thrown) => {
        expect(typeof messageOf(thrown)).toBe('string');
      }),
    );
  });

  it('come of a signal only once it is aborted', () => {
    const controller = new AbortController();
    throwIfCancelled(undefined);
    throwIfCancelled(controller.signal, 'The search');
    controller.abort();
    expect(() => throwIfCancelled(controller.signal, 'The search')).toThrow('The search was cancelled.');
  });
});
