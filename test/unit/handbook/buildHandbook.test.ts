import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BehaviourMap, unitAt } from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture, placesOf, unitsOf } from '../../fixtureHarness';

describe('the map of a Python harness', () => {
  let pebble: BuiltHarness;
  beforeAll(async () => {
    pebble = await builtFixture('pebble');
  });
  afterAll(() => pebble.remove());

  it('fits its schema', () => {
    expect(() => BehaviourMap.parse(pebble.map)).not.toThrow();
  });

  it('finds the agent loop first, and only that', () => {
    expect(pebble.map.loops).toEqual(['unit:main_loop:pebble/agent.py#Agent.run']);
    const loop = unitsOf(pebble.map, 'main_loop')[0];
    expect(loop?.sites[0]).toMatchObject({ file: 'pebble/agent.py', symbol: 'Agent.run', start: 21, end: 33 });
    expect(loop?.reasons.join(' ')).toContain('appends to the conversation');
  });

  it('cuts the turn into ordered steps, also inside the step function', () => {
    const steps = (pebble.map.steps ?? []).filter((step) => step.phase === 'loop');
    expect(steps.map((step) => [step.kind, step.site.start])).toEqual([
      ['termination', 24],
      ['loop_step', 35],
      ['limits', 36],
      ['compaction', 37],
      ['model_call', 38],
      ['prompt_assembly', 39],
      ['loop_step', 40],
      ['response_parse', 41],
      ['termination', 42],
      ['tool_dispatch', 45],
      ['observation', 46],
      ['format_error', 27],
      ['limits', 29],
      ['trajectory', 32],
    ]);
    const units = new Map(pebble.map.units.map((unit) => [unit.id, unit]));
    for (const step of steps) {
      expect(units.get(step.unit)?.kind).toBe(step.kind);
      expect(units.get(step.unit)?.sites).toContainEqual(step.site);
    }
  });

  it('names the boundaries and the parts around the loop', () => {
    expect(placesOf(pebble.map, 'model_call')).toContain('pebble/model.py#ChatModel._complete');
    expect(placesOf(pebble.map, 'exec_boundary')).toContain('pebble/environment.py#LocalEnvironment.execute');
    expect(placesOf(pebble.map, 'truncation')).toEqual(['pebble/environment.py#truncate_output']);
    expect(placesOf(pebble.map, 'retry')).toEqual(['pebble/model.py#ChatModel._with_retry']);
    expect(placesOf(pebble.map, 'config_load')).toEqual(['pebble/cli.py#load_config']);
    expect(placesOf(pebble.map, 'entry')).toEqual(['pebble/cli.py#main']);
    expect(placesOf(pebble.map, 'accounting').sort()).toEqual([
      'pebble/model.py#ChatModel.query',
      'pebble/model.py#count_cost',
    ]);
  });

  it('makes units of prompts and configuration keys, and links who reads them', () => {
    expect(placesOf(pebble.map, 'system_prompt')).toEqual([
      'config/default.yaml#agent.system_template',
      'config/default.yaml#agent.instance_template',
    ]);
    const assembly = unitsOf(pebble.map, 'prompt_assembly').find((unit) => unit.members.length > 0);
    expect(assembly?.prompts).toEqual([
      'prompt:config/default.yaml#agent.system_template',
      'prompt:config/default.yaml#agent.instance_template',
    ]);
    const limits = unitsOf(pebble.map, 'limits').find((unit) =>
      unit.members.includes('pebble/agent.py#Agent.check_limits'),
    );
    expect(limits?.config).toEqual(
      expect.arrayContaining([
        'config:config/default.yaml#agent.step_limit',
        'config:config/default.yaml#agent.cost_limit',
      ]),
    );
  });

  it('finds registers with their places', () => {
    const messages = pebble.map.registers.find((register) => register.name === 'messages');
    const places = messages?.sites.map((item) => `${item.access} ${item.site.start}`) ?? [];
    expect(places).toEqual(expect.arrayContaining(['init 17', 'write 23', 'write 39', 'read 38', 'read 74']));
    const finished = pebble.map.registers.find((register) => register.name === 'finished');
    expect(finished?.sites.map((item) => item.access)).toEqual(['init', 'reset', 'read']);
  });

  it('gives every function exactly one home', () => {
    const homes = new Map<string, number>();
    for (const unit of pebble.map.units) for (const id of unit.members) homes.set(id, (homes.get(id) ?? 0) + 1);
    for (const node of pebble.graph.functions()) expect([node.id, homes.get(node.id)]).toEqual([node.id, 1]);
  });

  it('owns nearly all lines and lists the rest', () => {
    const { counts, unassigned } = pebble.map;
    const listed = unassigned.reduce((sum, range) => sum + range.end - range.start + 1, 0);
    expect(counts.assignedLines / counts.codeLines).toBeGreaterThan(0.95);
    expect(listed).toBeGreaterThanOrEqual(counts.codeLines - counts.assignedLines);
  });

  it('keeps callers and calls mirror images', () => {
    const units = new Map(pebble.map.units.map((unit) => [unit.id, unit]));
    for (const unit of pebble.map.units) {
      for (const id of unit.calls) expect(units.get(id)?.callers).toContain(unit.id);
      for (const id of unit.callers) expect(units.get(id)?.calls).toContain(unit.id);
    }
  });

  it('answers which unit a line belongs to, the smallest first', () => {
    expect(unitAt(pebble.map, 'pebble/agent.py', 38)?.kind).toBe('model_call');
    expect(unitAt(pebble.map, 'pebble/agent.py', 21)?.kind).toBe('main_loop');
    expect(unitAt(pebble.map, 'pebble/agent.py', 9999)).toBeUndefined();
  });
});

describe('the map of a TypeScript harness', () => {
  let kite: BuiltHarness;
  beforeAll(async () => {
    kite = await builtFixture('kite');
  });
  afterAll(() => kite.remove());

  it('finds the loop in a function, its limit and its local state', () => {
    expect(kite.map.loops).toEqual(['unit:main_loop:src/loop.ts#runAgent']);
    expect(unitsOf(kite.map, 'limits').map((unit) => [unit.sites[0]?.start, unit.sites[0]?.end])).toEqual([[13, 15]]);
    const local = kite.map.registers.filter((register) => register.scope === 'local').map((register) => register.name);
    expect(local.sort()).toEqual(['answer', 'messages', 'turn']);
  });

  it('finds tools with descriptor and implementation', () => {
    const shell = unitsOf(kite.map, 'tool_shell')[0];
    expect(shell?.members).toEqual(expect.arrayContaining(['src/tools/shell.ts#runShell', 'tool:shell']));
    expect(placesOf(kite.map, 'tool_read')[0]).toBe('src/tools/read.ts#readText');
    expect(placesOf(kite.map, 'tool_registry')).toEqual(['src/tools/registry.ts#createToolRegistry']);
    expect(placesOf(kite.map, 'tool_dispatch')).toContain('src/tools/registry.ts#executeToolCall');
  });

  it('separates onset, loop and finish', () => {
    const kinds = kite.map.stages.map((stage) => stage.kind);
    expect(kinds).toEqual(expect.arrayContaining(['configure', 'setup', 'onset', 'loop', 'finish', 'side_flow']));
    const after = (kite.map.steps ?? []).filter((step) => step.phase === 'after');
    expect(after.map((step) => step.site.start)).toEqual([28, 29]);
    const finish = kite.map.stages.find((stage) => stage.kind === 'finish');
    expect(finish?.units).toEqual(expect.arrayContaining(after.map((step) => step.unit)));
  });

  it('says what it did not find', () => {
    expect(kite.map.notFound.join('\n')).toMatch(/compaction/);
    expect(kite.map.notFound.join('\n')).not.toMatch(/Agent loop/);
  });
});

describe('the map of a repository without a loop', () => {
  it('is still a map, and says what was looked for', async () => {
    const plain = await builtFixture('plain');
    expect(plain.map.loops).toEqual([]);
    expect(plain.map.notFound[0]).toMatch(/^Agent loop: no function was found/);
    expect(plain.map.units.map((unit) => unit.title)).toEqual(expect.arrayContaining(['Square (src)', 'Shapes (src)']));
    await plain.remove();
  });
});
