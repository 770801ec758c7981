import { describe, expect, it } from 'vitest';
import { CompletionCheck } from '../src/completion.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { Limits } from '../src/limits.ts';
import { shippedConfig } from './support.ts';

describe('Limits', () => {
  it('ends after the allowed turns', () => {
    const limits = new Limits({ turns: 2, formatErrors: 9, seconds: 9 });
    limits.startTurn();
    expect(limits.reached()).toBeNull();
    limits.startTurn();
    expect(limits.reached()).toBe('turn_limit');
  });

  it('counts malformed replies in a row only', () => {
    const limits = new Limits({ turns: 99, formatErrors: 2, seconds: 9 });
    limits.countFormatError();
    limits.countGoodAction();
    limits.countFormatError();
    expect(limits.reached()).toBeNull();
    limits.countFormatError();
    expect(limits.reached()).toBe('format_error_limit');
  });

  it('watches the clock', () => {
    let now = 1000;
    const limits = new Limits({ turns: 99, formatErrors: 9, seconds: 2 }, () => now);
    now += 1999;
    expect(limits.reached()).toBeNull();
    now += 1;
    expect(limits.reached()).toBe('time_limit');
  });
});

describe('CompletionCheck', () => {
  const settings = { requireRun: true, maxRefusals: 1 };

  it('accepts when nothing was changed', () => {
    const check = new CompletionCheck(settings);
    check.observe('looks');
    expect(check.accepts()).toBe(true);
  });

  it('refuses once when files were changed and nothing was run', () => {
    const check = new CompletionCheck(settings);
    check.observe('changes');
    expect(check.accepts()).toBe(false);
    expect(check.accepts()).toBe(true);
  });

  it('accepts when something was run after the change', () => {
    const check = new CompletionCheck(settings);
    check.observe('changes');
    check.observe('runs');
    expect(check.accepts()).toBe(true);
  });

  it('can be switched off', () => {
    const check = new CompletionCheck({ requireRun: false, maxRefusals: 1 });
    check.observe('changes');
    expect(check.accepts()).toBe(true);
  });
});

describe('readConfig', () => {
  it('accepts the shipped configuration', () => {
    expect(readConfig(JSON.parse(JSON.stringify(shippedConfig())))).toEqual(shippedConfig());
  });

  it('names the wrong key', () => {
    const config = shippedConfig();
    expect(() => readConfig({ ...config, limits: { ...config.limits, turns: 0 } })).toThrow('"turns"');
    expect(() => readConfig({ ...config, tools: 'shell' })).toThrow('"tools"');
    expect(() => readConfig({ ...config, context: null })).toThrow('"context"');
    expect(() => readConfig([])).toThrow(ConfigError);
  });
});
