/** How functions become units: one home each, units of a readable size, ids that stay, and the same bytes twice. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BehaviourMap, Site } from '../../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';
import { harnessSources } from './harnessSources';

const python = harnessSources[0]?.text ?? '';
const overlaps = (a: Site, b: Site): boolean => a.file === b.file && a.start <= b.end && b.start <= a.end;
const homesOf = (map: BehaviourMap, id: string): string[] =>
  map.units.filter((unit) => unit.members.includes(id)).map((unit) => unit.id);

describe.each(['pebble', 'kite'])('the units of %s', (name) => {
  let harness: BuiltHarness;
  beforeAll(async () => {
    harness = await builtFixture(name);
  });
  afterAll(() => harness.remove());

  it('hold every function exactly once', () => {
    const functions = harness.graph.functions().filter((node) => !/(^|\/)tests?\//.test(node.file));
    expect(functions.length).toBeGreaterThan(10);
    for (const node of functions) expect([node.id, homesOf(harness.map, node.id).length]).toEqual([node.id, 1]);
  });

  it('have ids of their own, each in exactly one stage, and that is the stage they name', () => {
    const { units, stages } = harness.map;
    expect(new Set(units.map((unit) => unit.id)).size).toBe(units.length);
    const placed = stages.flatMap((stage) => stage.units.map((id) => [id, stage.id] as const));
    expect(placed).toHaveLength(units.length);
    const stageOf = new Map(placed);
    for (const unit of units) expect([unit.id, stageOf.get(unit.id)]).toEqual([unit.id, unit.stage]);
  });

  it('refer only to units, registers and parts that are there', () => {
    const { map, graph } = harness;
    const units = new Set(map.units.map((unit) => unit.id));
    const registers = new Set(map.registers.map((register) => register.id));
    for (const unit of map.units) {
      for (const id of [...unit.calls, ...unit.callers]) expect([unit.id, units.has(id)]).toEqual([unit.id, true]);
      for (const id of unit.registers) expect([unit.id, id, registers.has(id)]).toEqual([unit.id, id, true]);
      for (const id of [...unit.members, ...unit.prompts, ...unit.tools, ...unit.config])
        expect([unit.id, id, graph.node(id) !== undefined]).toEqual([unit.id, id, true]);
    }
    for (const step of map.steps ?? []) expect(units.has(step.unit)).toBe(true);
    for (const id of map.loops) expect(units.has(id)).toBe(true);
  });

  it('are called by those that they are called by (fault 6: relations come from the graph)', () => {
    const { units } = harness.map;
    const byId = new Map(units.map((unit) => [unit.id, unit]));
    let seen = 0;
    for (const unit of units)
      for (const id of unit.calls) {
        expect([unit.id, id, byId.get(id)?.callers.includes(unit.id)]).toEqual([unit.id, id, true]);
        seen++;
      }
    for (const unit of units)
      for (const id of unit.callers)
        expect([unit.id, id, byId.get(id)?.calls.includes(unit.id)]).toEqual([unit.id, id, true]);
    expect(seen).toBeGreaterThan(5);
  });

  it('name every call between members of two units (fault 6: 57 of 94 callers)', () => {
    const { map, graph } = harness;
    const home = new Map(map.units.flatMap((unit) => unit.members.map((id) => [id, unit] as const)));
    let calls = 0;
    for (const node of graph.functions())
      for (const edge of graph.out(node.id, 'calls')) {
        const [from, to] = [home.get(edge.from), home.get(edge.to)];
        if (!from || !to || from === to || edge.certain === false) continue;
        calls++;
        const said = to.callers.includes(from.id) || to.mayBeCalledBy?.includes(from.id);
        // A region of the caller that makes the call speaks for it.
        const byRegion = map.units.some(
          (unit) =>
            to.callers.includes(unit.id) &&
            unit.sites.some((site) => site.file === edge.file && site.start <= edge.line && edge.line <= site.end),
        );
        expect([edge.from, edge.to, said || byRegion]).toEqual([edge.from, edge.to, true]);
      }
    expect(calls).toBeGreaterThan(5);
  });

  it('together with what is listed as unassigned hold every code line (fault 4)', () => {
    const { map } = harness;
    const listed = map.unassigned.reduce((sum, range) => sum + range.end - range.start + 1, 0);
    expect(map.counts.assignedLines).toBeLessThanOrEqual(map.counts.codeLines);
    expect(map.counts.codeLines - map.counts.assignedLines).toBeLessThanOrEqual(listed);
    const homes = map.units.filter((unit) => unit.members.length > 0).flatMap((unit) => unit.sites);
    for (const { file, start, end } of map.unassigned) {
      const range: Site = { file, start, end, symbol: '', hash: '' };
      expect([file, start, homes.filter((site) => overlaps(site, range))]).toEqual([file, start, []]);
    }
  });

  it('are no larger than a reader can hold, and none is empty', () => {
    for (const unit of harness.map.units) {
      expect(unit.sites.length).toBeGreaterThan(0);
      expect([unit.id, unit.members.length <= 40]).toEqual([unit.id, true]);
      expect(unit.title.length).toBeLessThanOrEqual(120);
      expect(unit.reasons.length).toBeLessThanOrEqual(8);
    }
    const share = harness.map.units.filter((unit) => unit.kind === 'other').length / harness.map.units.length;
    expect(share).toBeLessThan(0.5);
  });

  it('are the same bytes when derived again', async () => {
    const again = await harness.rebuild();
    expect(JSON.stringify(again.map)).toBe(JSON.stringify(harness.map));
  });
});

describe('ids', () => {
  const idsAfter = async (change: (text: string) => string): Promise<[string[], string[]]> => {
    const own = await harnessOf({ 'agent.py': python });
    const before = own.map.units.map((unit) => unit.id);
    const changed = change(python);
    expect(changed).not.toBe(python);
    await writeFile(join(own.folder, 'agent.py'), changed);
    const after = (await own.rebuild()).map.units.map((unit) => unit.id);
    await own.remove();
    return [before.sort(), after.sort()];
  };

  it.each([
    ['a comment above', (text: string) => `# Copyright\n\n${text}`],
    ['another number', (text: string) => text.replace('4000', '9000').replace('range(3)', 'range(5)')],
    ['another text', (text: string) => text.replace('"finish"', '"submit"')],
    ['a line in a function', (text: string) => text.replace('    cost = 0\n', '    cost = 0\n    started = 1\n')],
    ['blank lines between functions', (text: string) => text.replaceAll('\n\n\ndef', '\n\n\n\n\ndef')],
    [
      'a statement in the loop',
      (text: string) => text.replace('        step += 1\n', '        step += 1\n        tick()\n'),
    ],
  ])('stay after %s', async (_name, change) => {
    const [before, after] = await idsAfter(change);
    expect(after).toEqual(before);
  });

  it('of functions that were moved down the file stay', async () => {
    const [before, after] = await idsAfter((text) => {
      const start = text.indexOf('def truncate_output');
      const end = text.indexOf('def run(');
      const moved = text.slice(start, end);
      return text.replace(moved, '').replace('if __name__', `${moved}if __name__`);
    });
    expect(after).toEqual(before);
  });

  it('of a renamed function change, and no others do', async () => {
    const [before, after] = await idsAfter((text) =>
      text.replaceAll('run(task, config)', 'drive(task, config)').replace('    run("task"', '    drive("task"'),
    );
    const gone = before.filter((id) => !after.includes(id));
    expect(gone).toEqual(expect.arrayContaining(['unit:main_loop:agent.py#run']));
    for (const id of gone) expect(id).toMatch(/#run$/);
    expect(after).toContain('unit:main_loop:agent.py#drive');
  });
});

describe('fault 3: a helper was filed under a stage from which nothing calls it', () => {
  const withHelpers = (helpers: string, uses: Record<string, string>): string => {
    let text = python.replace('def run(task', `${helpers}\n\ndef run(task`);
    for (const [from, to] of Object.entries(uses)) text = text.replace(from, to);
    return text;
  };

  it('a helper with one caller is with it, also through another helper', async () => {
    const text = withHelpers(
      'def tidy(text):\n    return bare(text).strip()\n\n\ndef bare(text):\n    return text.replace("x", "")\n',
      {
        'return answer.split("run:")[1]': 'return tidy(answer.split("run:")[1])',
      },
    );
    const { map, remove } = await harnessOf({ 'agent.py': text });
    for (const name of ['tidy', 'bare'])
      expect([name, homesOf(map, `agent.py#${name}`)]).toEqual([name, ['unit:response_parse:agent.py']]);
    await remove();
  });

  it('the same helper goes along when its caller is another one', async () => {
    const text = withHelpers('def tidy(text):\n    return text.strip()\n', {
      'return json.load(file)': 'return json.loads(tidy(file.read()))',
    });
    const { map, remove } = await harnessOf({ 'agent.py': text });
    expect(homesOf(map, 'agent.py#tidy')).toEqual(['unit:config_load:agent.py']);
    await remove();
  });

  it('a helper of several behaviours belongs to none of them alone', async () => {
    const text = withHelpers('def tidy(text):\n    return text.strip()\n', {
      'return json.load(file)': 'return json.loads(tidy(file.read()))',
      'return answer.split("run:")[1]': 'return tidy(answer.split("run:")[1])',
      'return truncate_output(done.stdout)': 'return truncate_output(tidy(done.stdout))',
    });
    const { map, remove } = await harnessOf({ 'agent.py': text });
    const homes = homesOf(map, 'agent.py#tidy');
    expect(homes).toHaveLength(1);
    const callers = map.units.find((unit) => unit.id === homes[0])?.callers ?? [];
    expect(callers.length + (/:other:/.test(homes[0] ?? '') ? 0 : 1)).toBeGreaterThanOrEqual(3);
    await remove();
  });
});

describe('fault 11: functions that are called were listed as unmapped', () => {
  it('what only a callback, a table or a test calls has a home, and so has what nothing calls', async () => {
    const { map, graph, remove } = await harnessOf({
      'agent.py': python,
      'hooks.py':
        'import agent\n\n\ndef on_end(text):\n    return text\n\n\ndef on_start(text):\n    return text\n\n\nHOOKS = {"end": on_end}\n\n\ndef unused():\n    return agent.run("t", {})\n',
      'tests/test_hooks.py': 'from hooks import on_start\n\n\ndef test_it():\n    assert on_start("a") == "a"\n',
    });
    for (const name of ['on_end', 'on_start', 'unused'])
      expect([name, homesOf(map, `hooks.py#${name}`).length]).toEqual([name, 1]);
    const tests = graph.functions().filter((node) => node.file.startsWith('tests/'));
    for (const node of tests) expect(homesOf(map, node.id)).toEqual([]);
    expect(map.unassigned.filter((range) => range.file.startsWith('tests/'))).toEqual([]);
    await remove();
  });
});

describe('fault 5: stages shared a cross-cut without a call to it', () => {
  it('only the units with a line that calls the truncation are its callers', async () => {
    const text = `${python.replace('    return messages\n', '    return truncate_output(str(messages))\n')}`;
    const { map, remove } = await harnessOf({ 'agent.py': text });
    const cut = map.units.find((unit) => unit.kind === 'truncation');
    const lines = text.split('\n');
    const byId = new Map(map.units.map((unit) => [unit.id, unit]));
    expect(cut?.callers.length).toBeGreaterThan(0);
    for (const id of cut?.callers ?? []) {
      const own = byId.get(id)?.sites.map((site) => lines.slice(site.start - 1, site.end).join('\n')) ?? [];
      expect([id, own.some((part) => /truncate_output\((?!text\))/.test(part))]).toEqual([id, true]);
    }
    for (const kind of ['config_load', 'response_parse', 'model_call', 'retry'] as const)
      for (const unit of map.units.filter((one) => one.kind === kind)) expect(cut?.callers).not.toContain(unit.id);
    await remove();
  });
});
