import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createModelClient, ModelHostNotAllowedError } from '../../../src/core/models';

const providers = [
  ['openai-compatible', 'https://api.openai.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1'],
] as const;

describe.each(providers)('a key of the environment for %s', (provider, own) => {
  const create = (baseUrl: string | undefined, hosts?: string, more: { apiKey?: string } = {}) =>
    createModelClient(
      { provider, model: 'm', baseUrl, apiKeyVariable: 'CLOUD_SECRET' },
      { env: { CLOUD_SECRET: 'secret', HARNESSMITH_MODEL_HOSTS: hosts }, ...more },
    );

  it.each([
    undefined,
    own,
    'http://localhost:8080/v1',
    'http://127.0.0.1:1/v1',
    'http://127.8.9.1/v1',
    'http://2130706433/v1',
    'http://[::1]:8080/v1',
  ])('goes to %s', async (baseUrl) => {
    expect((await create(baseUrl)).id).toBe(`${provider}/m`);
  });

  it.each([
    'https://evil.example/v1',
    `https://${new URL(own).host}@evil.example/v1`,
    `https://${new URL(own).host}.evil.example/v1`,
    own.replace('https', 'http'),
    own.replace('/v1', ':8443/v1'),
    'https://localhost.evil.example/v1',
    'https://127.0.0.1.evil.example/v1',
    'http://0.0.0.0/v1',
    'http://10.0.0.1/v1',
  ])('does not go to %s', async (baseUrl) => {
    const error = await create(baseUrl, 'good.example').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelHostNotAllowedError);
    const host = new URL(baseUrl).hostname;
    expect(error).toMatchObject({
      code: 'model-host-not-allowed',
      host,
      variable: 'CLOUD_SECRET',
      nextStep: expect.stringContaining(`export HARNESSMITH_MODEL_HOSTS=${host}`),
    });
    expect(String(error)).not.toContain('secret');
  });

  it('goes to the hosts the person allowed, and to their ports alone where one is named', async () => {
    const hosts = ' Models.Example.org , 10.0.0.7:8080,';
    await expect(create('https://models.example.org/v1', hosts)).resolves.toBeDefined();
    await expect(create('https://models.example.org:444/v1', hosts)).resolves.toBeDefined();
    await expect(create('http://10.0.0.7:8080/v1', hosts)).resolves.toBeDefined();
    await expect(create('http://10.0.0.7:8081/v1', hosts)).rejects.toThrow(ModelHostNotAllowedError);
    await expect(create('https://sub.models.example.org/v1', hosts)).rejects.toThrow(ModelHostNotAllowedError);
  });

  it('needs no permission when the key comes from a secret store, which keeps one for each address', async () => {
    await expect(create('https://elsewhere.example/v1', undefined, { apiKey: 'stored' })).resolves.toBeDefined();
  });

  it('goes nowhere that is not named, whatever the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.domain(), fc.domain(), async (host, allowed) => {
        const outcome = await create(`https://${host}/v1`, allowed).then(
          () => 'sent',
          () => 'refused',
        );
        expect(outcome).toBe(host.toLowerCase() === allowed.toLowerCase() ? 'sent' : 'refused');
      }),
      { numRuns: 50 },
    );
  });
});

describe('without a variable', () => {
  it('an OpenAI-compatible server of any host is asked without a key', async () => {
    const settings = { provider: 'openai-compatible', model: 'm', baseUrl: 'https://elsewhere.example/v1' } as const;
    await expect(createModelClient(settings, { env: { OPENAI_API_KEY: 'secret' } })).resolves.toBeDefined();
  });
});
