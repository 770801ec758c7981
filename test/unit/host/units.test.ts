import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteTouches } from '../../../src/core/links';
import { lineInEdited, UnitFinder } from '../../../src/host/handbook/anchors';
import { mergedUnits, separable, stageChoices } from '../../../src/host/handbook/editChoices';
import { lensPlan, lensText } from '../../../src/host/handbook/lenses';
import { siteStatesOf, stateOfUnit } from '../../../src/host/handbook/siteStates';
import { hoverMarkdown, linkCommands, searchUnits } from '../../../src/host/handbook/unitWords';
import { badgeAddress, badgeOf } from '../../../src/host/tree/badgeWords';
import { mapOf, unitOf } from './fakes';

const site = (file: string, start: number, end: number, symbol = 'parseReply') => ({
  file,
  symbol,
  start,
  end,
  hash: 'h',
});

function touch(file: string, start: number, end: number, steps: number, failing = true): SiteTouches {
  return {
    file,
    symbol: '',
    start,
    end,
    steps: Array.from({ length: steps }, (_, at) => ({
      run: 'r1',
      task: 't1',
      step: at + 1,
      failing,
      kind: 'literal' as const,
    })),
    failingRuns: failing ? 1 : 0,
    passingRuns: failing ? 0 : 1,
  };
}

const parse = unitOf({ callers: ['u-loop', 'u-gone'], members: ['src/parser.ts#parseReply'] });
const loop = unitOf({
  id: 'u-loop',
  kind: 'main_loop',
  title: 'Agent loop',
  order: undefined,
  sites: [site('src/agent.ts', 10, 80, 'Agent.run')],
});
const inner = unitOf({ id: 'u-in', title: 'Model call', sites: [site('src/agent.ts', 20, 22, 'Agent.run')] });
const helper = unitOf({
  id: 'u-help',
  kind: 'other',
  title: 'Part: quote',
  sites: [site('src/parser.ts', 60, 70, 'quote')],
});
const map = mapOf([parse, loop, inner, helper]);

describe('finding units by place', () => {
  const finder = UnitFinder.of(map);

  it('gives the smallest one around a line, and none elsewhere', () => {
    expect(finder.at('src/agent.ts', 21)?.id).toBe('u-in');
    expect(finder.at('src/agent.ts', 40)?.id).toBe('u-loop');
    expect(finder.at('src/agent.ts', 81)).toBeUndefined();
    expect(finder.at('src/none.ts', 1)).toBeUndefined();
    expect(UnitFinder.of(map)).toBe(finder);
  });

  it('knows an anchor by its first line or by the name that is defined there', () => {
    expect(finder.anchoredAt('src/parser.ts', 24, undefined)?.id).toBe('u-parse');
    expect(finder.anchoredAt('src/parser.ts', 26, 'parseReply')?.id).toBe('u-parse');
    expect(finder.anchoredAt('src/parser.ts', 26, 'other')).toBeUndefined();
    expect(finder.anchoredAt('src/parser.ts', 99, 'parseReply')).toBeUndefined();
  });

  it('finds the line of a symbol again in a text that was edited', () => {
    const lines = ['// new', '// lines', 'export function parseReply(text) {', '}'];
    expect(lineInEdited({ start: 1, symbol: 'parseReply' }, lines)).toBe(3);
    expect(lineInEdited({ start: 2, symbol: 'gone' }, lines)).toBe(2);
    expect(lineInEdited({ start: 90, symbol: '' }, lines)).toBe(4);
  });

  it('never leaves the text, whatever was edited', () => {
    const text = fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), fc.string({ maxLength: 6 }), (lines, start, symbol) => {
        const line = lineInEdited({ start, symbol }, lines);
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
      }),
    );
  });
});

describe('what a hover says', () => {
  it('names unit, stage and step, callers that exist, failing steps, and ways on', () => {
    const text = hoverMarkdown(parse, map, [touch('src/parser.ts', 24, 30, 3)]);
    expect(text).toContain('**Response parsing**  (Iterate, step 4)');
    expect(text).toContain('Called by [Agent loop](command:harnessmith.openSite?');
    expect(text).not.toContain('u-gone');
    expect(text).toContain('[3 failing steps in 1 task](command:harnessmith.showUnitSteps?');
    expect(hoverMarkdown(parse, map, [])).not.toContain('failing');
  });

  it('lets nothing of the repository become markup or a command', () => {
    const hostile = '](command:workbench.action.terminal.sendSequence) <img src=x> `a` [b](c) ![d](e) $(zap)';
    const unit = unitOf({ id: 'u-x', title: hostile, summary: hostile, callers: ['u-x'] });
    const text = hoverMarkdown(unit, mapOf([unit]), []);
    // What is left after escapes are taken out is our own.
    const plain = text.replace(/\\[!-/:-@[-`{-~]/g, '');
    const links = [...plain.matchAll(/\]\(([^)]*)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) expect(linkCommands.some((id) => link.startsWith(`command:${id}?`))).toBe(true);
    expect(plain).not.toMatch(/[<`]|!\[/);
  });
});

describe('lenses', () => {
  const touches = [touch('src/parser.ts', 24, 30, 2), touch('src/parser.ts', 50, 51, 1)];

  it('stand above anchors and above touched code, one a line, and not above every helper', () => {
    const plan = lensPlan(map, 'src/parser.ts', touches, null);
    expect(plan.map((lens) => [lens.line, lens.units])).toEqual([
      [24, ['u-parse']],
      [50, []],
    ]);
    expect(plan.map((lens) => lensText(lens, map, touches))).toEqual([
      {
        title: 'Response parsing | Iterate | 2 failing steps in 1 task',
        tooltip: expect.any(String),
        command: 'harnessmith.showUnitSteps',
        arguments: ['u-parse'],
      },
      {
        title: '1 failing step in 1 task | 0 passing',
        tooltip: expect.any(String),
        command: 'harnessmith.showSteps',
        arguments: ['src/parser.ts', 50],
      },
    ]);
  });

  it('leave steps inside a function alone, unless they fail', () => {
    expect(lensPlan(map, 'src/agent.ts', [], null)).toEqual([]);
    const owning = mapOf([{ ...loop, members: ['src/agent.ts#Agent.run'] }, inner]);
    expect(lensPlan(owning, 'src/agent.ts', [], null).map((lens) => lens.line)).toEqual([10]);
    expect(lensPlan(owning, 'src/agent.ts', [touch('src/agent.ts', 20, 20, 1)], null).map((lens) => lens.line)).toEqual(
      [10, 20],
    );
  });

  it('show a helper that fails, open the page where nothing fails, and count units that share a line', () => {
    const failing = lensPlan(map, 'src/parser.ts', [touch('src/parser.ts', 61, 61, 1)], null);
    expect(failing.map((lens) => lens.units)).toContainEqual(['u-help']);
    const twin = { ...parse, id: 'u-twin' };
    const two = mapOf([parse, twin]);
    const [lens] = lensPlan(two, 'src/parser.ts', [], null);
    expect(lensText(lens!, two, [])).toMatchObject({
      title: '2 behaviours',
      command: 'harnessmith.openUnitPage',
      arguments: ['u-parse'],
    });
  });

  it('go where the name is in an edited text, and say nothing for units that are gone', () => {
    const edited = [...Array.from({ length: 30 }, () => ''), 'function parseReply() {'];
    const [lens] = lensPlan(map, 'src/parser.ts', [], edited);
    expect(lens!.line).toBe(31);
    expect(lensText({ ...lens!, units: ['u-gone'] }, map, [])).toBeNull();
  });
});

describe('units among the symbols', () => {
  it('are found by every word of title, kind, symbol and file, titles first', () => {
    const ids = (query: string) => searchUnits([loop, parse, inner], query).map((unit) => unit.id);
    expect(ids('PARSING')).toEqual(['u-parse']);
    expect(ids('response parse parser.ts')).toEqual(['u-parse']);
    expect(ids('parsing shell')).toEqual([]);
    // The file of the loop is agent.ts, but only the title of the loop says "agent".
    expect(ids('agent')).toEqual(['u-loop', 'u-in']);
    expect(searchUnits([inner, loop], 'agent').map((unit) => unit.id)).toEqual(['u-loop', 'u-in']);
    expect(ids('  ')).toEqual([]);
  });
});

describe('states of sites', () => {
  const states = siteStatesOf([
    { file: 'src/parser.ts', start: 24, end: 37, state: 'moved' },
    { file: 'src/agent.ts', start: 10, end: 80, state: 'stale' },
    { file: 'src/agent.ts', start: 20, end: 22, state: 'fresh' },
  ]);

  it('are the worst of a unit, and nothing for fresh ones', () => {
    expect([parse, loop, inner].map((unit) => stateOfUnit(unit, states))).toEqual(['moved', 'stale', null]);
    const both = { sites: [...parse.sites, ...loop.sites] };
    expect(stateOfUnit(both, states)).toBe('stale');
    expect(stateOfUnit(loop, new Map())).toBeNull();
  });

  it('make a badge of at most two characters that says what it counts', () => {
    const badges = [
      { failing: 0, state: null },
      { failing: 9, state: null },
      { failing: 250, state: 'stale' as const },
      { failing: 0, state: 'stale' as const },
      { failing: 0, state: 'moved' as const },
    ].map((badge) => badgeOf(badgeAddress(badge) ?? ''));
    expect(badges.map((badge) => badge?.text)).toEqual([undefined, '9', '++', '!', '~']);
    expect(badges[2]!.tooltip).toBe('250 failing steps, changed since it was indexed');
    expect(badgeOf('/of/somebody else')).toBeNull();
  });
});

describe('what an edit offers', () => {
  it('are the other stages, and the way back for a unit that was edited', () => {
    const stages = [...map.stages, { id: 'finish', kind: 'finish' as const, title: 'Finish', units: [] }];
    expect(stageChoices(parse, { ...map, stages }).map((choice) => choice.stage)).toEqual(['finish']);
    const edited = stageChoices({ ...parse, edited: 'person' }, { ...map, stages });
    expect(edited.map((choice) => choice.stage)).toEqual([null, 'finish']);
  });

  it('are the merged units, all or of one unit', () => {
    const overlay = { placed: {}, merged: { 'unit:a': 'u-parse', 'unit:b': 'u-loop' }, moved: {}, orphans: [] };
    const merged = { ...map, overlay };
    expect(separable(merged).map(({ label, description }) => `${label}: ${description}`)).toEqual([
      'a: merged into Response parsing',
      'b: merged into Agent loop',
    ]);
    expect(mergedUnits(loop, merged).map(({ key }) => key)).toEqual(['unit:b']);
    expect(separable(map)).toEqual([]);
  });
});
