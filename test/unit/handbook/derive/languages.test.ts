/** What is derived from the same harness in Python, TypeScript, Go and Rust. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BehaviourMap, UnitKind } from '../../../../src/core/handbook';
import { type BuiltHarness, placesOf, unitsOf } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';
import { harnessSources } from './harnessSources';

describe.each(harnessSources)('a harness in $language', ({ file, text, names }) => {
  let harness: BuiltHarness;
  let map: BehaviourMap;
  const lines = text.split('\n');
  beforeAll(async () => {
    harness = await harnessOf({ [file]: text });
    map = harness.map;
  });
  afterAll(() => harness.remove());

  /** Number of the first line with a text, from a line on. */
  const lineOf = (part: string | RegExp, from = 1): number => {
    const at = lines.findIndex((line, index) => index >= from - 1 && line.search(part) !== -1);
    if (at === -1) throw new Error(`${part} is not in ${file}`);
    return at + 1;
  };
  const inRun = (part: string | RegExp): number =>
    lineOf(part, lineOf(new RegExp(`(?:def|fn|func|function) ${names.run}\\(`)));
  const symbol = (name: string): string => `${file}#${name}`;
  const textOf = (kind: UnitKind): string[] =>
    unitsOf(map, kind).flatMap((unit) => unit.sites.map((site) => lines.slice(site.start - 1, site.end).join('\n')));

  it('has one agent loop, and knows that this is it', () => {
    expect(map.loops).toEqual([`unit:main_loop:${symbol(names.run)}`]);
    expect(unitsOf(map, 'main_loop')).toHaveLength(1);
    const reasons = unitsOf(map, 'main_loop')[0]?.reasons.join(' ') ?? '';
    expect(reasons).toContain('reaches the model through');
    expect(reasons).toContain('carries out actions through');
  });

  it.each([
    ['config_load', 'read'],
    ['model_call', 'ask'],
    ['response_parse', 'parse'],
    ['exec_boundary', 'act'],
    ['truncation', 'cut'],
    ['tool_dispatch', 'act'],
  ] as const)('%s is where the function for it is', (kind, name) => {
    expect(unitsOf(map, kind)[0]?.sites[0]).toMatchObject({ file, symbol: names[name] });
  });

  it('makes each of those functions a member of that unit and of no other', () => {
    for (const [kind, name] of [
      ['config_load', names.read],
      ['model_call', names.ask],
      ['response_parse', names.parse],
      ['exec_boundary', names.act],
      ['truncation', names.cut],
      ['main_loop', names.run],
    ]) {
      const homes = map.units.filter((unit) => unit.members.includes(symbol(name as string)));
      expect(homes.map((unit) => unit.kind)).toEqual([kind]);
    }
  });

  it('cuts the limit out of the loop as a region, and names no line beside it', () => {
    const limits = unitsOf(map, 'limits').flatMap((unit) => unit.sites);
    const start = inRun(/if \(?step >=/);
    expect(limits.map((site) => [site.symbol, site.start])).toEqual([[names.run, start]]);
    expect(limits[0]?.end).toBeLessThanOrEqual(start + 2);
  });

  it('takes attempts at one call for a retry, neither for a limit nor for the agent loop', () => {
    const sites = unitsOf(map, 'retry').flatMap((unit) => unit.sites);
    expect(sites.map((site) => site.symbol)).toEqual([names.ask]);
    expect(sites[0]?.start).toBe(lineOf(/for .*attempt/));
    for (const kind of ['limits', 'main_loop'] as const) expect(placesOf(map, kind)).not.toContain(symbol(names.ask));
  });

  it('finds the end of the run where it leaves the loop', () => {
    const sites = unitsOf(map, 'termination').flatMap((unit) => unit.sites);
    expect(sites[0]).toMatchObject({ symbol: names.run, start: inRun(/if \(?action ={2,3} ["']finish/) });
    expect(textOf('termination')[0]).toContain('break');
  });

  it('tells what the agent said from what the command printed', () => {
    expect(textOf('observation').every((part) => part.includes('observation'))).toBe(true);
    expect(textOf('observation')).toHaveLength(1);
    const said = unitsOf(map, 'prompt_assembly').flatMap((unit) => unit.sites.map((site) => site.start));
    expect(said).toContain(inRun(/assistant|push\(answer|, answer\)/));
  });

  it('adds up the cost in the loop', () => {
    expect(unitsOf(map, 'accounting').flatMap((unit) => unit.sites.map((site) => site.start))).toContain(
      inRun(/cost \+=/),
    );
  });

  it('orders the steps as they run', () => {
    // The call of the model ends by an error of its own; the run ends where its last `termination` is.
    const kinds = (map.steps ?? []).filter((step) => step.phase === 'loop').map((step) => step.kind);
    const order = [
      'limits',
      'model_call',
      'accounting',
      'prompt_assembly',
      'response_parse',
      'termination',
      'tool_dispatch',
      'exec_boundary',
      'observation',
    ] as const;
    const places = order.map((kind) => (kind === 'termination' ? kinds.lastIndexOf(kind) : kinds.indexOf(kind)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('keeps what runs once apart from what runs in every round', () => {
    const steps = map.steps ?? [];
    const phases = steps.map((step) => step.phase);
    const order = ['before', 'loop', 'after'];
    expect(phases).toEqual([...phases].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    const loop = inRun(/^\s+(?:while|for|loop)\b/);
    for (const step of steps.filter((one) => one.site.symbol === names.run))
      expect([step.site.start, step.phase === 'before']).toEqual([step.site.start, step.site.start < loop]);
  });

  it('has the conversation and the count as locals that cross rounds', () => {
    for (const [name, init] of [
      ['messages', inRun(/messages.*=/)],
      ['step', inRun(/step :?= 0/)],
    ] as const) {
      const register = map.registers.find((one) => one.name === name);
      expect(register).toMatchObject({ scope: 'local', owner: names.run });
      const lineWith = (access: string) =>
        register?.sites.filter((one) => one.access === access).map((one) => one.site.start) ?? [];
      expect(lineWith('init')).toEqual([init]);
      expect(lineWith('write').length).toBeGreaterThan(0);
      expect(lineWith('read').length).toBeGreaterThan(0);
      for (const line of [...lineWith('write'), ...lineWith('read')]) expect(lines[line - 1]).toContain(name);
    }
  });

  it('takes no value that each round makes anew for a register', () => {
    const names = map.registers.map((register) => register.name);
    expect(names).not.toContain('answer');
    expect(names).not.toContain('observation');
  });

  it('claims nothing that is not there, and says that it looked', () => {
    for (const kind of [
      'permission',
      'compaction',
      'subagents',
      'memory_files',
      'tool_submit',
      'stop',
      'trajectory',
    ] as const)
      expect([kind, placesOf(map, kind)]).toEqual([kind, []]);
    const notFound = map.notFound.join('\n');
    expect(notFound).toContain('No compaction');
    expect(notFound).toContain('No sub-agents');
    expect(notFound).toContain('No permission');
    for (const there of ['No check of a step', 'No retry', 'No truncation', 'Agent loop:', 'Model call:', 'Execution:'])
      expect(notFound).not.toContain(there);
  });

  it('gives every place the text that its lines have', () => {
    for (const unit of map.units) {
      expect(unit.sites.length).toBeGreaterThan(0);
      for (const site of unit.sites) {
        expect(site.start).toBeLessThanOrEqual(site.end);
        expect(site.end).toBeLessThanOrEqual(lines.length);
        expect(
          lines
            .slice(site.start - 1, site.end)
            .join('')
            .trim(),
        ).not.toBe('');
      }
    }
  });

  it('gives every reason a place in the file, where the quoted code stands', () => {
    for (const unit of map.units)
      for (const reason of unit.reasons) {
        const at = /\(([^()\s]+):(\d+)\)$/.exec(reason);
        const quoted = /`([^`.]{4,}?)(?:\.\.\.)?`/.exec(reason)?.[1];
        if (!at || !quoted || at[1] !== file) continue;
        const near = lines
          .slice(Number(at[2]) - 1, Number(at[2]) + 8)
          .join(' ')
          .replace(/\s+/g, ' ');
        expect([reason, near.includes(quoted.split(' ')[0] as string)]).toEqual([reason, true]);
      }
  });
});

it('derives the same kinds from all four', async () => {
  const kinds: Record<string, string[]> = {};
  for (const { language, file, text } of harnessSources) {
    const { map, remove } = await harnessOf({ [file]: text });
    const own = map.units
      .filter((unit) => unit.stage === 'loop' || unit.stage === 'side_flow')
      .map((unit) => unit.kind);
    kinds[language] = [...new Set(own)].filter((kind) => kind !== 'other' && kind !== 'format_error').sort();
    await remove();
  }
  // A function that only returns what it cuts is no statement of its own in TypeScript.
  const without = (list: string[] | undefined) => list?.filter((kind) => kind !== 'truncation');
  expect(without(kinds.TypeScript)).toEqual(without(kinds.Python));
  expect(kinds.Go).toEqual(kinds.Python);
  expect(kinds.Rust).toEqual(kinds.Python);
});
