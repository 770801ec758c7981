import { describe, expect, test } from 'vitest';
import { rustTypeText } from '../../../src/core/graph/languages/rust/types';
import { factsOf } from './sources';

const factsIn = (body: string) => factsOf('a.rs', body);
const symbolsOf = async (body: string) =>
  new Map((await factsIn(body)).symbols.map((symbol) => [symbol.qualname, symbol]));
const parts = async (expression: string) =>
  (await factsIn(`fn f() { ${expression}; }`)).strings.map((fact) => fact.parts);

describe('definitions of Rust', () => {
  test('functions, methods of impl blocks, traits with what they ask for and what they lend', async () => {
    const symbols = await symbolsOf(`
/// Runs one turn. More.
#[instrument(skip(self))]
pub async fn run<T: Tool>(tool: &mut T, limit: usize) -> Result<(), Error> { Ok(()) }

pub struct Agent<S> { services: Arc<S>, pub name: String }

impl<S: Services> Agent<S> {
    pub fn new(services: Arc<S>) -> Self { Self { services, name: "x".into() } }
    fn step(&self) {}
}

impl<S> Display for Agent<S> {
    fn fmt(&self) -> fmt::Result { Ok(()) }
}

pub trait Tool: Base + Send {
    fn call(&self) -> String;
    fn twice(&self) -> String { self.call() }
}
`);
    expect(symbols.get('run')).toMatchObject({
      kind: 'function',
      async: true,
      exported: true,
      start: 3,
      doc: 'Runs one turn.',
      decorators: ['#[instrument(skip(self))]'],
      signature: 'run<T: Tool>(tool: &mut T, limit: usize) -> Result<(), Error>',
    });
    expect(symbols.get('run')?.parameters?.map(({ name }) => name)).toEqual(['tool', 'limit']);
    expect(symbols.get('Agent.new')).toMatchObject({ kind: 'method', receiver: 'Agent', returns: 'Agent' });
    expect(symbols.get('Agent.fmt')).toMatchObject({ kind: 'method', receiver: 'Agent' });
    expect(symbols.get('Tool')).toMatchObject({ kind: 'class', abstract: true, bases: ['Base', 'Send'] });
    expect(symbols.get('Tool.call')?.abstract).toBe(true);
    expect(symbols.get('Tool.twice')?.abstract).toBeUndefined();
  });

  test('impl blocks say what a type implements; one for all types of a trait gives its methods to that trait', async () => {
    const { implementations, symbols } = await factsIn(`
impl Tool for Bash { fn call(&self) {} }
impl<I: Services> Store for I { fn save(&self) {} }
impl From<A> for forge::Value { fn from(a: A) -> Self { Self::Empty } }
`);
    expect(implementations).toEqual([
      { type: 'Bash', base: 'Tool', scope: '' },
      { type: 'Services', base: 'Store', scope: '' },
      { type: 'Value', base: 'From', scope: '' },
    ]);
    expect(symbols.map(({ qualname }) => qualname)).toEqual(['Bash.call', 'Services.save', 'Value.from']);
  });

  test('variants make a value of their enum and keep their payload, fields keep their types', async () => {
    const { attributes } = await factsIn(
      'enum Action { Run { command: String }, Stop(Reason, u8), Wait }\nstruct Pair(A, pub B);\n',
    );
    expect(attributes.map(({ owner, name, type, values }) => [`${owner}.${name}`, type ?? values?.[0]])).toEqual([
      ['Action.Run', 'Action'],
      ['Action.Run:command', 'String'],
      ['Action.Stop', 'Action'],
      ['Action.Stop:0', 'Reason'],
      ['Action.Stop:1', 'u8'],
      ['Action.Wait', 'Action'],
      ['Pair.0', 'A'],
      ['Pair.1', 'B'],
    ]);
  });

  test('tests are marked, loops are kept, named closures are functions of their own', async () => {
    const symbols = await symbolsOf(`
fn turn() {
    let check = |x: i32| -> bool { x > 0 };
    while check(1) {
        for i in 0..3 { loop { break; } }
    }
    items.iter().for_each(|item| item.go());
}
#[cfg(test)]
mod tests {
    use super::*;
    struct Mock;
    #[tokio::test]
    async fn runs() { turn(); }
    fn helper() {}
}
fn main() {}
`);
    expect(symbols.get('turn')?.loops).toEqual([
      { start: 4, end: 6 },
      { start: 5, end: 5 },
      { start: 5, end: 5 },
    ]);
    expect(symbols.get('turn.check')).toMatchObject({ kind: 'function', signature: '|x: i32| -> bool' });
    expect([...symbols].filter(([, { test: isTest }]) => isTest).map(([name]) => name)).toEqual([
      'tests.Mock',
      'tests.runs',
      'tests.helper',
    ]);
    expect(symbols.get('main')?.entry).toBe('program');
  });

  test('constants, statics and included files', async () => {
    const facts = await factsIn(`
/// Steps in one run.
pub const MAX_STEPS: usize = 50;
static PROMPT: &str = include_str!("../prompts/system.md");
impl Agent { const NAME: &'static str = "coder"; }
fn f() { let t = include_str!("x.md"); }
`);
    const symbols = new Map(facts.symbols.map((symbol) => [symbol.qualname, symbol]));
    expect(symbols.get('MAX_STEPS')).toMatchObject({ kind: 'variable', detail: '50', doc: 'Steps in one run.' });
    expect(facts.embeds).toEqual([{ variable: 'PROMPT', path: 'prompts/system.md', line: 4 }]);
    expect(facts.strings).toContainEqual({ scope: 'f', start: 6, end: 6, parts: ['x.md'] });
    expect(facts.attributes).toContainEqual(
      expect.objectContaining({ owner: 'Agent', name: 'NAME', detail: '"coder"' }),
    );
  });
});

describe('macros and strings of Rust', () => {
  test('arguments of macros are code; placeholders count where text is formatted', async () => {
    const facts = await factsIn(`fn f(&self) {
    let text = format!("The tool {name} failed: {} {{literal}}", self.reason());
    let list = vec![Bash::new(), edit()];
    info!(id = %self.id, "a message for the log");
    let page = "Hello {{name}}, you are here";
    macro_of_ours!(other(1));
}`);
    const callees = facts.calls.map(({ callee }) => callee);
    expect(callees).toEqual(
      expect.arrayContaining(['self.reason', 'format!', 'Bash.new', 'edit', 'vec!', 'macro_of_ours!', 'other']),
    );
    expect(facts.strings.map((fact) => fact.parts)).toEqual([
      ['The tool ', null, ' failed: ', null, ' {literal}'],
      ['a message for the log'],
      ['Hello ', null, ', you are here'],
    ]);
    expect(facts.parseErrors).toBe(0);
  });

  test('a macro with content of its own kind leaves everything around it as it is', async () => {
    const facts = await factsIn(
      `fn f() { before(); tokio::select! { a = next() => { handle(a) }, else => {} } after(); }`,
    );
    const callees = facts.calls.map(({ callee }) => callee);
    expect(callees).toEqual(expect.arrayContaining(['before', '::tokio.select!', 'next', 'handle', 'after']));
    expect(facts.parseErrors).toBe(0);
  });

  test('escapes, continued lines and raw strings', async () => {
    expect(await parts('let a = "tab\\there and \\u{e9} \\x41"')).toEqual([['tab\there and é A']]);
    expect(await parts('let a = "one line \\\n        goes on"')).toEqual([['one line goes on']]);
    expect(await parts('let a = r#"a "raw" \\n text"#')).toEqual([['a "raw" \\n text']]);
  });
});

describe('imports of Rust', () => {
  test('lists, aliases, self, wildcards, re-exports and modules', async () => {
    const { imports, exports } = await factsIn(`
use std::{fs, collections::HashMap as Map};
use crate::agent::{self, Agent};
pub use self::inner::Thing;
use super::tools::*;
mod tools;
#[path = "other.rs"]
mod renamed;
mod tests { use super::Agent; }
`);
    expect(imports.map(({ local, module, name }) => `${local} = ${module} ${name}`)).toEqual([
      'fs = std fs',
      'Map = std collections.HashMap',
      'agent = crate agent',
      'Agent = crate agent.Agent',
      'Thing = inner Thing',
    ]);
    expect(exports.map(({ exported, module }) => `${exported} ${module}`)).toEqual([
      'Thing inner',
      '* super::tools',
      'tools self::tools',
      'renamed path:other.rs',
    ]);
  });
});

describe('configuration and tools of Rust', () => {
  test('environment, arguments of clap and fields that serde reads', async () => {
    const { configurations } = await factsIn(`
#[derive(Parser)]
struct Cli {
    #[arg(long, env = "FORGE_MODEL", default_value = "gpt-5")]
    model_name: String,
}
#[derive(Debug, Deserialize)]
struct AgentConfig { #[serde(rename = "maxSteps")] max_steps: u32 }
#[derive(Deserialize)]
struct Reply { text: String }
fn f() {
    let a = std::env::var("FORGE_KEY").unwrap_or("none".into());
    let b = env::var(name);
    let c = option_env!("FORGE_BUILD");
}`);
    expect(configurations.map(({ key, default: otherwise }) => [key, otherwise])).toEqual([
      ['model-name', 'gpt-5'],
      ['FORGE_MODEL', 'gpt-5'],
      ['maxSteps', undefined],
      ['FORGE_KEY', '"none".into()'],
      ['FORGE_BUILD', undefined],
    ]);
  });

  test('tools by attribute, by enum, by trait, by struct and by registration', async () => {
    const { tools } = await factsIn(`
impl Server {
    #[tool(description = "Adds two numbers")]
    async fn add(&self) {}
}
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ToolCatalog {
    /// Reads a file.
    FsRead(ReadInput),
    #[serde(rename = "sh")]
    Shell(ShellInput),
}
impl Tool for Search {
    const NAME: &'static str = "search";
    async fn call(&self) {}
}
fn run(&self, input: ToolCatalog) {
    let spec = ToolDefinition { name: "plan".to_string(), description: "Makes a plan".into() };
    registry.register_handler("patch", handler);
    match input { ToolCatalog::FsRead(input) => self.read(input.path.clone()), _ => {} }
}`);
    expect(tools.map(({ name, scope, implementations }) => `${name} in ${scope} by ${implementations.join()}`)).toEqual(
      [
        'add in Server.add by Server.add',
        'fs_read in ToolCatalog by ',
        'sh in ToolCatalog by ',
        'search in  by Search.call',
        'plan in run by ',
        'patch in run by handler,handler.handle,handler.call',
        'ToolCatalog.FsRead in run by self.read',
      ],
    );
    expect(tools[0]?.description).toBe('Adds two numbers');
    expect(tools[1]?.description).toBe('Reads a file.');
  });
});

describe('types of Rust', () => {
  test.each([
    ["&'a mut Agent", 'Agent'],
    ['Arc<dyn Tool + Send + Sync>', 'Tool'],
    ['impl Store + Model', 'Store | Model'],
    ['Result<Option<Box<Agent>>, Error>', 'Agent'],
    ['anyhow::Result<Vec<Tool>>', 'Array<Tool>'],
    ['HashMap<String, Arc<Mutex<Agent>>>', 'Map<any, Agent>'],
    ['&[ToolCall]', 'Array<ToolCall>'],
    ['impl Iterator<Item = Tool>', 'Array<Tool>'],
    ["Pin<Box<dyn Future<Output = Result<Agent>> + Send + 'a>>", 'Agent'],
    ['Box<dyn Fn(&str) -> Result<Tool> + Send>', '() => Tool'],
    ['crate::tools::Bash', '::crate.tools.Bash'],
    ['Self::ModelService', 'ModelService'],
    ['String', 'any'],
    ['()', 'any'],
  ])('%s is %s', (source, text) => {
    expect(rustTypeText(source)).toBe(text);
  });

  test('a part of a tuple', () => {
    expect(rustTypeText('(Agent, Tool)', 1)).toBe('Tool');
    expect(rustTypeText('Result<(Agent, Tool)>', 1)).toBe('Tool');
  });
});
