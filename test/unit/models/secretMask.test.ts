import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../src/core/models';

// Put together here, so that no scanner takes the test for a leak.
const key = (...parts: string[]) => parts.join('');

describe('maskSecrets', () => {
  it.each([
    ['a provider key', key('sk-', 'proj-', 'aB3dE6gH9jK2mN5pQ8sT')],
    ['an access key', key('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a token of a forge', key('ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['a signed token', key('eyJhbGciOiJI', '.eyJzdWIiOiIx', '.SflKxwRJSMeKKF2QT4')],
    ['a private key', key('-----BEGIN RSA PRIVATE', ' KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----')],
  ])('takes out %s and keeps the rest', (_, secret) => {
    expect(maskSecrets(`before ${secret} after`)).toEqual({ text: 'before (masked) after', masked: 1 });
  });

  it.each([
    [`Authorization: Bearer ${key('abcdefghij', 'klmnopqrst')}`, 'Authorization: Bearer (masked)'],
    [`postgres://me:${key('hunter', '2222')}@db/x`, 'postgres://me:(masked)@db/x'],
    [`api_key = "${key('abcdefgh1234', '5678ijkl')}"`, 'api_key = "(masked)"'],
    [`export MODEL_API_KEY=${key('abcd1234', 'efgh5678ijkl')}`, 'export MODEL_API_KEY=(masked)'],
  ])('keeps what says what a value is: %s', (text, expected) => {
    expect(maskSecrets(text)).toEqual({ text: expected, masked: 1 });
  });

  it.each([
    'api_key = os.environ["OPENAI_API_KEY"]',
    'token = "<your token goes here>"',
    'const task = "sk-learn pipelines"',
    'max_tokens: 4000, total_tokens = prompt_tokens + completion_tokens',
    'OPENAI_API_KEY=$SECRET_FROM_VAULT_1',
    'https://example.org/a:b/c',
  ])('leaves code and words alone: %s', (text) => {
    expect(maskSecrets(text)).toEqual({ text, masked: 0 });
  });

  it('is done after one time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(key('sk-', 'aaaaaaaaaaaaaaaaaaaa1'), ' ', '"', 'token="', 'x1', '\n', '@')),
        (parts) => {
          const once = maskSecrets(parts.join('')).text;
          expect(maskSecrets(once).text).toBe(once);
        },
      ),
    );
  });
});
