import { describe, expect, test } from 'vitest';
import type { ProgramGraph } from '../../../src/core/graph/programGraph';
import { ends, graphOf } from './sources';

/** `line name` of what a function reads or writes. */
function touched(graph: ProgramGraph, from: string, kind: 'reads' | 'writes'): string[] {
  return graph
    .out(from, kind)
    .map(({ to, line }) => `${line} ${to.slice(to.indexOf('#') + 1)}`)
    .sort();
}

describe('objects that TypeScript takes apart', () => {
  const source = `export class Meter {
  used = 1;
  limit = 2;
  inner = new Part();
  get left() { return this.limit - this.used; }
  swap(other: Meter) {
    [this.used, this.limit] = [other.limit, other.used];
  }
}
export class Part { size = 3; name = 'x'; }
export function declared(meter: Meter) {
  const { used, limit: most = 4 } = meter;
  return used + most;
}
export function nested(meter: Meter) {
  const { inner: { size }, ...rest } = meter;
  return [size, rest];
}
export function given({ limit }: Meter, [{ used }]: Meter[]) {
  return limit + used;
}
export function looped(meters: Meter[]) {
  for (const { used } of meters) console.log(used);
}
export function computed(meter: Meter) {
  const { left } = meter;
  return left;
}
export function later(meter: Meter) {
  let used: number;
  ({ used } = meter);
  return used;
}
export function moved(meter: Meter, part: Part) {
  ({ size: meter.used, name: meter.inner.name } = part);
}
export const arrow = ({ inner }: Meter) => inner.size;
`;

  test.each([
    ['declared', ['12 Meter.limit', '12 Meter.used']],
    ['nested', ['16 Meter.inner', '16 Part.size']],
    ['looped', ['23 Meter.used']],
    ['later', ['31 Meter.used']],
    ['arrow', ['37 Meter.inner', '37 Part.size']],
  ])('%s reads what it takes', async (name, expected) => {
    const { graph } = await graphOf({ 'a.ts': source });
    expect(touched(graph, `a.ts#${name}`, 'reads')).toEqual(expected);
  });

  test('parameters too, in objects and lists', async () => {
    const { graph } = await graphOf({ 'a.ts': source });
    expect(touched(graph, 'a.ts#given', 'reads')).toEqual(['19 Meter.limit', '19 Meter.used']);
  });

  test('a getter that is taken out is called', async () => {
    const { graph } = await graphOf({ 'a.ts': source });
    expect(ends(graph, 'a.ts#computed', 'calls')).toEqual(['a.ts#Meter.left']);
  });

  test('a pattern that names members writes them', async () => {
    const { graph } = await graphOf({ 'a.ts': source });
    expect(touched(graph, 'a.ts#Meter.swap', 'writes')).toEqual(['7 Meter.limit', '7 Meter.used']);
    expect(touched(graph, 'a.ts#Meter.swap', 'reads')).toEqual(['7 Meter.limit', '7 Meter.used']);
    expect(touched(graph, 'a.ts#moved', 'writes')).toEqual(['35 Meter.used', '35 Part.name']);
    expect(touched(graph, 'a.ts#moved', 'reads')).toEqual(expect.arrayContaining(['35 Part.name', '35 Part.size']));
  });

  test('JavaScript declares an attribute by a pattern in its constructor', async () => {
    const { graph } = await graphOf({
      'a.js':
        'class A {\n  constructor(options) {\n    ({ limit: this.limit } = options);\n  }\n  run() { return this.limit; }\n}\n',
    });
    expect(graph.node('a.js#A.limit')).toMatchObject({ kind: 'attribute', start: 3 });
    expect(touched(graph, 'a.js#A.run', 'reads')).toEqual(['5 A.limit']);
  });

  test('names taken out of a library or the environment are no state of the harness', async () => {
    const { graph } = await graphOf({
      'a.ts':
        "import lib from 'lib';\nexport function f() {\n  const { A_KEY } = process.env;\n  const { limit } = lib.options;\n  return [A_KEY, limit];\n}\nclass B { limit = 1; }\n",
    });
    expect(touched(graph, 'a.ts#f', 'reads')).toEqual(['3 config:A_KEY']);
  });
});

describe('structs and variants that Rust takes apart', () => {
  const source = `pub struct State { pub steps: usize, pub last: String }
pub enum Step { Read(Reader), Edit { by: Editor, note: String }, Stop }
pub struct Reader;
impl Reader { pub fn read(&self) -> usize { 1 } }
pub struct Editor;
impl Editor { pub fn edit(&self) -> usize { 2 } }

impl State {
    pub fn own(&self) -> usize {
        let Self { steps, last: _ } = self;
        *steps
    }
}
impl Step {
    pub fn run(&self) -> usize {
        match self {
            Self::Read(reader) => reader.read(),
            Self::Edit { by, .. } => by.edit(),
            Self::Stop => 0,
        }
    }
}
pub fn outside(step: &Step) -> usize {
    if let Step::Edit { by: editor, .. } = step { return editor.edit(); }
    let Step::Read(reader) = step else { return 0 };
    reader.read()
}
pub fn given(State { last, .. }: State) -> String { last }
pub fn chosen(state: State) -> usize {
    match state { State { steps, .. } if steps > 3 => steps, _ => 0 }
}
`;
  const graphOfRust = async () =>
    (await graphOf({ 'Cargo.toml': '[package]\nname = "m"\n', 'src/lib.rs': source })).graph;

  test.each([
    ['State.own', ['10 State.last', '10 State.steps']],
    ['given', ['28 State.last']],
    ['chosen', ['30 State.steps']],
  ])('%s reads the fields it takes', async (name, expected) => {
    expect(touched(await graphOfRust(), `src/lib.rs#${name}`, 'reads')).toEqual(expected);
  });

  test('the payload of a variant has its type, whether the enum is named or is the type around', async () => {
    const graph = await graphOfRust();
    const both = ['src/lib.rs#Editor.edit', 'src/lib.rs#Reader.read'];
    expect(ends(graph, 'src/lib.rs#Step.run', 'calls')).toEqual(both);
    expect(ends(graph, 'src/lib.rs#outside', 'calls')).toEqual(both);
  });
});
