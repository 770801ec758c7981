/**
 * Faults of published handbooks that begin in the graph: whoever writes prose can only name what was found. The numbers are
 * those of the list in docs/handbook.md; the expected places are found here in the text, not by the code under test.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProgramGraph } from '../../../src/core/graph/programGraph';
import { go, python, rust, typescript } from './faultSources';
import { graphOf } from './sources';

/** `file:line` of every line that the pattern fits. */
function linesWith(sources: Record<string, string>, pattern: RegExp): string[] {
  return Object.entries(sources)
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}`] : [])),
    )
    .sort();
}

function places(graph: ProgramGraph, id: string, ...kinds: ('calls' | 'constructs' | 'reads' | 'writes')[]): string[] {
  const found = graph.in(id).filter(({ kind }) => (kinds as string[]).includes(kind));
  return [...new Set(found.map(({ file, line }) => `${file}:${line}`))].sort();
}

describe('fault 6: cards named part of the callers and reads', () => {
  test.each([
    ['Python', python, 'agent/core.py#clip', /\b(clip|cut)\(/, /def clip/],
    ['TypeScript', typescript, 'src/clip.ts#clip', /\b(clip|cut|short)\(/, /function clip/],
    ['Go', go, 'clip/clip.go#Clip', /\bClip\(/, /func Clip/],
    ['Rust', rust, 'src/text.rs#clip', /\b(clip|cut)\(/, /fn clip/],
  ])(
    '%s: every line that calls a function is a caller, and no other line is',
    async (_, sources, id, call, definition) => {
      const { graph } = await graphOf(sources);
      const written = linesWith(sources, call).filter((place) => !linesWith(sources, definition).includes(place));
      expect(written.length).toBeGreaterThan(5);
      expect(places(graph, id, 'calls').filter((place) => written.includes(place))).toEqual(written);
      // A default value that is the function itself is no written call, but may be one.
      const others = graph.in(id, 'calls').filter(({ file, line }) => !written.includes(`${file}:${line}`));
      expect(others.filter(({ certain }) => certain !== false)).toEqual([]);
    },
  );

  test.each([
    ['Python', python, 'agent/core.py#Agent.steps', /\b(self|subject)\.steps\b/],
    ['Python', python, 'agent/core.py#Agent.budget', /\b(self|subject)\.budget\b/],
    ['Python', python, 'agent/core.py#Agent.log', /\b(self|subject)\.log\b/],
    ['Python', python, 'agent/core.py#Agent.last', /\bself\.last\b/],
    ['TypeScript', typescript, 'src/agent.ts#Agent.steps', /\bthis\.steps\b|steps, log }/],
    ['TypeScript', typescript, 'src/agent.ts#Agent.log', /\bthis\.log\b|steps, log }/],
    ['TypeScript', typescript, 'src/agent.ts#Agent.last', /\b(this|agent)\.last\b/],
    ['TypeScript', typescript, 'src/agent.ts#Agent.label', /\b(this|agent)\.label\b/],
    ['TypeScript', typescript, 'src/agent.ts#Options.limit', /\boptions\.limit\b/],
    ['Go', go, 'agent/agent.go#Agent.Steps', /\ba\.Steps\b/],
    ['Go', go, 'agent/agent.go#Agent.Last', /\ba\.Last\b/],
    ['Rust', rust, 'src/agent.rs#Agent.steps', /\bself\.steps\b/],
    ['Rust', rust, 'src/agent.rs#Agent.last', /\bself\.last\b/],
    ['Rust', rust, 'src/agent.rs#Agent.limit', /\bself\.limit\b/],
  ])('%s: every line that touches %#, and no other, reads or writes it', async (_, sources, id, pattern) => {
    const { graph } = await graphOf(sources);
    const written = linesWith(sources, pattern);
    expect(written.length).toBeGreaterThan(1);
    const touched = places(graph, id, 'reads', 'writes');
    expect(written.filter((place) => !touched.includes(place))).toEqual([]);
    // Besides, only what declares the attribute or fills it in a literal may be a place of it.
    const name = new RegExp(`\\b${id.slice(id.lastIndexOf('.') + 1)}\\b`);
    expect(touched.filter((place) => !linesWith(sources, name).includes(place))).toEqual([]);
  });

  test('the harness of the fixtures: each use of an own attribute is in the graph', async () => {
    const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'harnesses', 'pebble');
    const sources: Record<string, string> = {};
    for (const name of ['__init__', 'agent', 'cli', 'environment', 'errors', 'model'])
      sources[`pebble/${name}.py`] = await readFile(join(folder, 'pebble', `${name}.py`), 'utf8');
    const { graph } = await graphOf(sources);
    const attributes = graph.data.nodes.filter(({ kind }) => kind === 'attribute');
    expect(attributes.length).toBeGreaterThan(8);
    let uses = 0;
    for (const { id, name, file, qualname } of attributes) {
      const owner = graph.node(`${file}#${qualname.slice(0, qualname.lastIndexOf('.'))}`);
      const written = linesWith({ [file]: sources[file]! }, new RegExp(`\\bself\\.${name}\\b(?!\\()`)).filter(
        (place) => {
          const line = Number(place.slice(place.lastIndexOf(':') + 1));
          return owner !== undefined && owner.start <= line && line <= owner.end;
        },
      );
      uses += written.length;
      const touched = places(graph, id, 'reads', 'writes');
      expect([id, written.filter((place) => !touched.includes(place))]).toEqual([id, []]);
    }
    expect(uses).toBeGreaterThan(20);
  });
});

describe('fault 7: annotated assignments were taken for reads', () => {
  const readsOf = (graph: ProgramGraph, id: string) => places(graph, id, 'reads');

  test('in Python an annotation with a value writes, one without does neither', async () => {
    const { graph } = await graphOf(python);
    const annotated = linesWith(python, /^ {8}self\.\w+: /);
    expect(annotated).toHaveLength(4);
    for (const name of ['budget', 'steps', 'last', 'log']) {
      const id = `agent/core.py#Agent.${name}`;
      expect(readsOf(graph, id).filter((place) => annotated.includes(place))).toEqual([]);
      expect(places(graph, id, 'writes').filter((place) => annotated.includes(place))).toHaveLength(1);
    }
    expect(readsOf(graph, 'agent/core.py#LIMIT')).toEqual(['agent/core.py:22', 'agent/core.py:32']);
    expect(places(graph, 'agent/core.py#LIMIT', 'writes')).toEqual(['agent/core.py:3']);
    expect(readsOf(graph, 'agent/core.py#names')).toEqual([]);
    expect(readsOf(graph, 'agent/core.py#Agent.budget')).not.toContain('agent/core.py:11');
  });

  test('what an annotation names is a type, not state that is read', async () => {
    const { graph } = await graphOf({
      'a.py': `from typing import Annotated
Key = str
size = 4

class Box:
    value: Annotated[int, size] = 0

def f(box: Box, key: Key = "a") -> Box:
    other: Box = box
    other.value: int = 1
    return other
`,
    });
    expect(places(graph, 'a.py#Box.value', 'reads')).toEqual([]);
    expect(places(graph, 'a.py#Box.value', 'writes')).toEqual(['a.py:10', 'a.py:6']);
    expect(graph.out('a.py#f', 'constructs')).toEqual([]);
  });

  test('the same in TypeScript, Go and Rust: a declaration with a type and a value is no read', async () => {
    const { graph } = await graphOf({
      'a.ts':
        'export class A {\n  limit: number = 3;\n  constructor() {\n    this.limit = 4 as number;\n  }\n}\nexport let mode: string = "x";\n',
      'go.mod': 'module m\n',
      'b.go':
        'package b\n\ntype B struct{ Limit int }\n\nvar Mode string = "x"\n\nfunc New() *B {\n\tvar b *B = &B{Limit: 3}\n\tb.Limit = 4\n\treturn b\n}\n',
      'src/lib.rs':
        'pub struct C { pub limit: usize }\npub static MODE: &str = "x";\npub fn make() -> C {\n    let mut c: C = C { limit: 3 };\n    c.limit = 4;\n    c\n}\n',
    });
    for (const id of [
      'a.ts#A.limit',
      'a.ts#mode',
      'b.go#B.Limit',
      'b.go#Mode',
      'src/lib.rs#C.limit',
      'src/lib.rs#MODE',
    ])
      expect([id, readsOf(graph, id)]).toEqual([id, []]);
    expect(places(graph, 'a.ts#A.limit', 'writes')).toEqual(['a.ts:2', 'a.ts:4']);
    expect(places(graph, 'b.go#B.Limit', 'writes')).toEqual(['b.go:8', 'b.go:9']);
    expect(places(graph, 'src/lib.rs#C.limit', 'writes')).toEqual(['src/lib.rs:4', 'src/lib.rs:5']);
  });

  test('an augmented assignment is both', async () => {
    const { graph } = await graphOf(python);
    expect(readsOf(graph, 'agent/core.py#Agent.steps')).toContain('agent/core.py:23');
    expect(places(graph, 'agent/core.py#Agent.steps', 'writes')).toContain('agent/core.py:23');
  });
});

describe('fault 11: functions alive in call sites were listed as unmapped', () => {
  /** Names of functions that something leads to; the others would be listed as dead code. */
  const alive = async (sources: Record<string, string>): Promise<string[]> => {
    const { graph } = await graphOf(sources);
    const leading = new Set(['calls', 'implements-tool', 'binds']);
    return graph.data.nodes
      .filter(({ kind }) => kind === 'function' || kind === 'method')
      .filter(({ id }) => graph.in(id).some(({ kind }) => leading.has(kind)))
      .map(({ name }) => name)
      .sort();
  };

  test('in Python: by decorator, default, registry, property, comprehension, thread and context manager', async () => {
    const names = await alive({
      'a.py': `import atexit, functools, threading
from contextlib import contextmanager

def by_default(x): pass
def by_registry(x): pass
def by_comprehension(x): pass
def by_thread(): pass
def by_partial(x): pass
def at_exit(): pass
def by_assert(x): return True
def by_lambda(x): pass
def by_slice(x): return 1
def by_raise(x): return ValueError(x)
def by_walrus(x): return x
def by_yield(x): return x
def dead(): pass

@contextmanager
def by_with():
    yield

def by_decorator(function):
    return function

HANDLERS = {"a": by_registry}

@by_decorator
def main(hook=by_default):
    HANDLERS["a"](1)
    [by_comprehension(x) for x in range(3)]
    threading.Thread(target=by_thread).start()
    functools.partial(by_partial, 1)()
    atexit.register(at_exit)
    assert by_assert(1), "no"
    run = lambda x: by_lambda(x)
    items = [1, 2][by_slice(0):]
    if (found := by_walrus(items)):
        yield by_yield(found)
    with by_with() as held:
        hook(held)
    raise by_raise(run)
`,
    });
    expect(names).toEqual(
      expect.arrayContaining([
        'at_exit',
        'by_assert',
        'by_comprehension',
        'by_decorator',
        'by_default',
        'by_lambda',
        'by_partial',
        'by_raise',
        'by_registry',
        'by_slice',
        'by_thread',
        'by_walrus',
        'by_with',
        'by_yield',
      ]),
    );
    expect(names).not.toContain('dead');
  });

  test('in TypeScript: by listener, default, spread, tag, JSX, getter, shorthand, promise and optional call', async () => {
    const names = await alive({
      'a.tsx': `import { EventEmitter } from 'node:events';
function byListener() {}
function byDefault() { return 1; }
function bySpread() { return []; }
function byTag(parts: TemplateStringsArray) { return parts; }
function ByElement() { return null; }
function byShorthand() {}
function byPromise() {}
function byCatch() {}
function byOptional() {}
function byCondition() { return true; }
function byArray(x: number) { return x; }
function byThrow() { return new Error('x'); }
function dead() {}
class Meter { get byGetter() { return 1; } set byGetter(x: number) { this.x = x; } x = 0; static byStatic() {} #byPrivate() {} go() { this.#byPrivate(); } }
const table = { byShorthand };
export async function main(bus: EventEmitter, x = byDefault()) {
  bus.on('x', byListener);
  const all = [...bySpread()];
  byTag\`text\`;
  table.byShorthand();
  await Promise.resolve().then(byPromise).catch(byCatch);
  byOptional?.();
  all.map(byArray);
  Meter.byStatic();
  new Meter().go();
  if (byCondition()) return <ByElement />;
  console.log(new Meter().byGetter);
  throw byThrow();
}
`,
    });
    expect(names).toEqual(
      expect.arrayContaining(
        'ByElement byArray byCatch byCondition byDefault byGetter byListener byOptional byPromise #byPrivate byShorthand bySpread byStatic byTag byThrow go'.split(
          ' ',
        ),
      ),
    );
    expect(names).not.toContain('dead');
  });

  test('in Go: by goroutine, defer, method value, map, interface and function field', async () => {
    const names = await alive({
      'go.mod': 'module m\n',
      'a.go': `package m

import "net/http"

type tool struct{ run func() }
type worker interface{ byInterface() }
type real struct{}

func (real) byInterface() {}
func (real) byValue()     {}
func byGo()               {}
func byDefer()            {}
func byMap()              {}
func byField()            {}
func byHandler(w http.ResponseWriter, r *http.Request) {}
func bySwitch() int       { return 1 }
func byRange() []int      { return nil }
func byReturn() int       { return 1 }
func dead()               {}

var table = map[string]func(){"x": byMap}

func Main(w worker) int {
	go byGo()
	defer byDefer()
	table["x"]()
	t := tool{run: byField}
	t.run()
	each(real{}.byValue)
	http.HandleFunc("/", byHandler)
	w.byInterface()
	switch bySwitch() {
	case 1:
		for range byRange() {
		}
	}
	return byReturn()
}

func each(f func()) { f() }
`,
    });
    expect(names).toEqual(
      'byDefer byField byGo byHandler byInterface byMap byRange byReturn bySwitch byValue each'.split(' '),
    );
  });

  test('in Rust: by path, macro, closure, trait, operator of a question mark and match guard', async () => {
    const names = await alive({
      'Cargo.toml': '[package]\nname = "m"\n',
      'src/lib.rs': `pub trait Work { fn by_trait(&self) -> usize; fn by_default(&self) -> usize { 1 } }
pub struct Real;
impl Work for Real { fn by_trait(&self) -> usize { 2 } }
impl Real { fn by_self() -> Self { Real } fn by_method(&self) {} }
fn by_macro() -> usize { 1 }
fn by_path(x: &usize) -> usize { *x }
fn by_closure(x: usize) -> usize { x }
fn by_question() -> Option<usize> { None }
fn by_guard(x: usize) -> bool { x > 1 }
fn by_if_let() -> Option<usize> { None }
fn by_loop() -> bool { false }
fn by_field() -> usize { 1 }
fn dead() {}
struct Held { size: usize }
pub fn run(work: &dyn Work) -> Option<usize> {
    println!("{}", by_macro());
    let all: Vec<usize> = vec![1].iter().map(by_path).collect();
    let sum = all.into_iter().map(|x| by_closure(x)).sum::<usize>();
    let held = Held { size: by_field() };
    match by_question()? { x if by_guard(x) => {} _ => {} }
    if let Some(x) = by_if_let() { return Some(x); }
    while by_loop() {}
    Real::by_self().by_method();
    Some(sum + held.size + work.by_trait() + work.by_default())
}
`,
    });
    expect(names).toEqual(
      'by_closure by_default by_field by_guard by_if_let by_loop by_macro by_method by_path by_question by_self by_trait'.split(
        ' ',
      ),
    );
  });
});
