import type { Gold, GoldPlace, GoldRegister, Place } from './gold';

/** A unit in the form that is scored; its place in the list is its rank among units of its kind. */
export interface ScoredUnit {
  kind: string;
  title: string;
  sites: Place[];
}

export interface ScoredRegister {
  name: string;
  sites: (Place & { access: string })[];
}

export interface ScoredMap {
  /** Sites of the agent loops, likeliest first. */
  loops: Place[];
  units: ScoredUnit[];
  /** Places of a round, in run order. */
  steps: Place[];
  registers: ScoredRegister[];
}

export interface Miss {
  what: string;
  behaviour: string;
  expected: string;
  got: string;
}

/** Shares from 0 to 1; null where nothing was judged. */
export interface Score {
  harness: string;
  units: number;
  byBehaviour: Map<string, { first: number; third: number; clicked: number; anywhere: number }>;
  falseClaims: Map<string, number>;
  loop: number | null;
  decoyFirst: boolean;
  otherLoops: [number, number] | null;
  stepOrder: number | null;
  stepRecall: number | null;
  registers: number | null;
  registerNames: Map<string, [number, number]>;
  registerSites: Map<string, [number, number]>;
  prompts: number | null;
  constants: number | null;
  misses: Miss[];
}

/** Longest site that may stand for a short place without losing half. */
const longSite = 400;

/** 1 when a site answers a place, 0.5 when it is so long that it only holds it, else 0. */
export function hit(site: Place, gold: Place): number {
  if (site.file !== gold.file) return 0;
  if (gold.symbol !== null && gold.symbol !== '' && site.symbol === gold.symbol) return lengthOf(site, gold);
  const overlap = Math.min(site.end, gold.end) - Math.max(site.start, gold.start) + 1;
  const shorter = Math.min(site.end - site.start, gold.end - gold.start) + 1;
  return overlap > 0 && overlap >= shorter / 2 ? lengthOf(site, gold) : 0;
}

function lengthOf(site: Place, gold: Place): number {
  const length = site.end - site.start + 1;
  return length > longSite && gold.end - gold.start + 1 < length / 4 ? 0.5 : 1;
}

function unitHit(unit: ScoredUnit, places: readonly GoldPlace[]): number {
  let best = 0;
  for (const place of places) {
    const worth = place.role === 'main' ? 1 : 0.5;
    for (const site of unit.sites) best = Math.max(best, hit(site, place) * worth);
  }
  return best;
}

export function score(gold: Gold, map: ScoredMap): Score {
  const misses: Miss[] = [];
  const loop = loopScore(gold, map, misses);
  const steps = stepScore(gold, map, misses);
  const registers = registerScore(gold.registers, map, misses);
  return {
    harness: gold.harness,
    units: map.units.length,
    byBehaviour: behaviourScores(gold, map, misses),
    falseClaims: new Map(gold.absent.map((kind) => [kind, map.units.filter((unit) => unit.kind === kind).length])),
    ...loop,
    ...steps,
    ...registers,
    prompts: rowRecall(gold, map, 'prompt', misses),
    constants: rowRecall(gold, map, 'constant', misses),
    misses,
  };
}

function behaviourScores(gold: Gold, map: ScoredMap, misses: Miss[]): Score['byBehaviour'] {
  const scores: Score['byBehaviour'] = new Map();
  for (const behaviour of new Set(gold.places.filter((p) => p.role === 'main').map((p) => p.behaviour))) {
    const places = gold.places.filter((place) => place.behaviour === behaviour);
    const units = map.units.filter((unit) => unit.kind === behaviour);
    const best = (list: readonly ScoredUnit[]): number => Math.max(0, ...list.map((unit) => unitHit(unit, places)));
    const first = best(units.slice(0, 1));
    const clicked = best(units.slice(0, 1).map((unit) => ({ ...unit, sites: unit.sites.slice(0, 1) })));
    scores.set(behaviour, { first, third: best(units.slice(0, 3)), clicked, anywhere: best(map.units) });
    if (first < 1) {
      const main = places.filter((place) => place.role === 'main');
      const rank = units.findIndex((unit) => unitHit(unit, main) === 1);
      const elsewhere = map.units.filter((unit) => unit.kind !== behaviour && unitHit(unit, main) === 1);
      misses.push({
        what: `${first === 0.5 ? 'part' : 'miss'}, right one ${rank === -1 ? `in ${elsewhere.map((unit) => unit.kind).slice(0, 3)}` : `at ${rank + 1}`} of ${units.length}`,
        behaviour,
        expected: main.map(words).join(' | '),
        got: units
          .slice(0, 3)
          .map((unit) => `${unit.title} ${unit.sites.slice(0, 2).map(words).join(', ')}`)
          .join(' ; '),
      });
    }
  }
  return scores;
}

function loopScore(gold: Gold, map: ScoredMap, misses: Miss[]) {
  const places = gold.places.filter((place) => place.behaviour === 'main_loop');
  const main = places.filter((place) => place.role === 'main');
  const parts = places.filter((place) => place.role === 'part');
  const top = map.loops[0];
  if (main.length === 0) return { loop: null, decoyFirst: false, otherLoops: null };
  const found = top !== undefined && main.some((place) => hit(top, place) > 0);
  const decoyFirst = !found && top !== undefined && parts.some((place) => hit(top, place) > 0);
  if (!found)
    misses.push({
      what: decoyFirst ? 'decoy first' : 'miss',
      behaviour: 'loop',
      expected: main.map(words).join(' | '),
      got: map.loops.map(words).join(' ; '),
    });
  const listed = parts.filter((place) => map.loops.some((loop) => hit(loop, place) > 0)).length;
  return { loop: found ? 1 : 0, decoyFirst, otherLoops: [listed, parts.length] as [number, number] };
}

function stepScore(gold: Gold, map: ScoredMap, misses: Miss[]) {
  const steps = gold.places.filter((place) => place.order !== undefined);
  if (steps.length === 0) return { stepOrder: null, stepRecall: null };
  const found = steps.flatMap((step) => {
    const position = positionOf(step, map);
    if (position === undefined) {
      misses.push({ what: `step ${step.order}`, behaviour: 'loop_step', expected: words(step), got: '' });
      return [];
    }
    return [{ step, position }];
  });
  let right = 0;
  let pairs = 0;
  for (const [index, a] of found.entries()) {
    for (const b of found.slice(index + 1)) {
      if (nests(a.step, b.step)) continue;
      pairs++;
      if (a.position < b.position) right++;
      else if (a.position > b.position)
        misses.push({ what: 'order', behaviour: 'loop_step', expected: words(a.step), got: `after ${words(b.step)}` });
    }
  }
  return { stepOrder: pairs === 0 ? null : right / pairs, stepRecall: found.length / steps.length };
}

/** Place in the run of the closest step. */
function positionOf(step: GoldPlace, map: ScoredMap): number | undefined {
  let best: { position: number; distance: number } | undefined;
  for (const [position, site] of map.steps.entries()) {
    if (hit(site, step) === 0) continue;
    const distance = Math.abs(site.start - step.start) + Math.abs(site.end - step.end);
    if (!best || distance < best.distance) best = { position, distance };
  }
  return best?.position;
}

function nests(a: Place, b: Place): boolean {
  if (a.file !== b.file) return false;
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

function registerScore(gold: readonly GoldRegister[], map: ScoredMap, misses: Miss[]) {
  const registerSites = new Map<string, [number, number]>();
  const registerNames = new Map<string, [number, number]>();
  let found = 0;
  for (const wanted of gold) {
    const register = map.registers.find((candidate) => isSame(candidate, wanted));
    const scope = scopeOf(wanted.scope);
    const names = registerNames.get(scope) ?? [0, 0];
    registerNames.set(scope, [names[0] + (register ? 1 : 0), names[1] + 1]);
    if (!register) {
      misses.push({ what: 'register', behaviour: wanted.scope, expected: wanted.register, got: '' });
      continue;
    }
    found++;
    const counts = registerSites.get(scope) ?? [0, 0];
    for (const site of wanted.sites) {
      const known = register.sites.some((own) => accessOf(own.access).includes(site.access) && hit(own, site) > 0);
      counts[0] += known ? 1 : 0;
      counts[1]++;
    }
    registerSites.set(scope, counts);
  }
  return { registers: gold.length === 0 ? null : found / gold.length, registerNames, registerSites };
}

/** The same name, and the place of one access at least; two accesses at the right lines do without the name. */
function isSame(candidate: ScoredRegister, wanted: GoldRegister): boolean {
  const touches = wanted.sites.filter((site) =>
    candidate.sites.some((own) => own.file === site.file && own.start <= site.end && own.end >= site.start),
  ).length;
  return touches >= 2 || (touches === 1 && nameOf(candidate.name) === nameOf(wanted.register));
}

function nameOf(name: string): string {
  const bare = name.replace(/\.(json|jsonl|ya?ml|md|txt|toml)$/, '');
  return bare.slice(bare.lastIndexOf('.') + 1).replace(/^_+/, '');
}

function accessOf(access: string): string[] {
  return access === 'reset' ? ['init', 'write'] : [access];
}

function scopeOf(scope: string): string {
  if (/\bfile\b|\.jsonl?\b|\.ya?ml\b/.test(scope)) return 'file';
  if (/closure|captured/.test(scope)) return 'closure';
  if (/local/.test(scope)) return 'local';
  return /module|global|static/.test(scope) ? 'module' : 'attribute';
}

/** Share of rows that a unit which is not left over owns: of the same behaviour, or any that is no whole file. */
function rowRecall(gold: Gold, map: ScoredMap, role: 'prompt' | 'constant', misses: Miss[]): number | null {
  const rows = gold.places.filter((place) => place.role === role);
  if (rows.length === 0) return null;
  const units = map.units.filter((unit) => unit.kind !== 'other');
  let found = 0;
  for (const row of rows) {
    const best = Math.max(0, ...units.flatMap((unit) => unit.sites.map((site) => hit(site, row))));
    found += best;
    if (best < 1) misses.push({ what: role, behaviour: row.behaviour, expected: words(row), got: `${best}` });
  }
  return found / rows.length;
}

export function words(place: Place): string {
  return `${place.file}:${place.start}-${place.end} ${place.symbol ?? ''}`.trim();
}
