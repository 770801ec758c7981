import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

const workspace = {
  'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
  'crates/app/Cargo.toml': '[package]\nname = "my-app"\nversion = "1.0.0"\n',
  'crates/domain/Cargo.toml': '[package]\nname = "domain"\n',
  'crates/domain/src/lib.rs': 'mod model;\npub mod tools;\npub use model::*;\n',
  'crates/domain/src/model.rs': `pub struct ModelId(String);
impl ModelId { pub fn new(id: &str) -> Self { ModelId(id.to_string()) } pub fn short(&self) -> String { String::new() } }
pub trait Provider { fn chat(&self, id: &ModelId) -> String; fn name(&self) -> String { self.label() } fn label(&self) -> String; }
`,
  'crates/domain/src/tools/mod.rs': `mod bash;
pub use bash::Bash as Shell;
pub trait Tool { fn call(&self) -> String; }
pub struct Edit;
impl Tool for Edit { fn call(&self) -> String { String::new() } }
`,
  'crates/domain/src/tools/bash.rs': `use super::Tool;
pub struct Bash;
impl Tool for Bash { fn call(&self) -> String { helper() } }
fn helper() -> String { String::new() }
`,
};

describe('calls of Rust', () => {
  const sources = {
    ...workspace,
    'crates/app/src/main.rs': 'mod agent;\nfn main() { agent::Agent::new().run(); }\n',
    'crates/app/src/agent.rs': `use std::sync::Arc;
use domain::{tools::{Shell, Tool}, ModelId, Provider};
use crate::agent::limits::check;
mod limits;

pub struct Agent<P> { provider: Arc<P>, tools: Vec<Box<dyn Tool>>, id: ModelId }

impl<P: Provider> Agent<P> {
    pub fn new() -> Self { Self { provider: make(), tools: vec![Box::new(Shell)], id: ModelId::new("x") } }
    pub fn run(&mut self) -> Option<()> {
        self.provider.chat(&self.id);
        for tool in self.tools.iter() { tool.call(); }
        let id = self.current()?;
        id.short();
        if let Some(first) = self.tools.first() { first.call(); }
        self.tools.iter().map(|tool| tool.call()).collect::<Vec<_>>();
        let again = || check(1);
        again();
        super::unknown_thing();
        None
    }
    fn current(&self) -> Option<&ModelId> { Some(&self.id) }
}
`,
    'crates/app/src/agent/limits.rs': 'pub fn check(n: i32) {}\n',
    'crates/app/src/more.rs': 'use crate::agent::Agent;\n',
  };
  const run = 'crates/app/src/agent.rs#Agent.run';
  const bash = 'crates/domain/src/tools/bash.rs#Bash.call';
  const edit = 'crates/domain/src/tools/mod.rs#Edit.call';

  test('crates, modules, re-exports, generics, trait objects, elements, options and closures', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'crates/app/src/main.rs#main', 'calls')).toEqual(['crates/app/src/agent.rs#Agent.new', run]);
    expect([...new Set(ends(graph, run, 'calls'))]).toEqual([
      'crates/app/src/agent.rs#Agent.current',
      'crates/app/src/agent.rs#Agent.run.again',
      'crates/domain/src/model.rs#ModelId.short',
      'crates/domain/src/model.rs#Provider.chat',
      // The list is made with it.
      bash,
      `${edit} ?`,
    ]);
    expect(ends(graph, `${run}.again`, 'calls')).toEqual(['crates/app/src/agent/limits.rs#check']);
    expect(ends(graph, 'crates/app/src/agent.rs#Agent.new', 'constructs')).toEqual(['crates/app/src/agent.rs#Agent']);
    expect(graph.data.unresolved.map(({ text }) => text)).toEqual(['make()', 'super::unknown_thing()']);
  });

  test('imports lead to files, also of modules that are only declared', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'crates/domain/src/lib.rs', 'imports')).toEqual([
      'crates/domain/src/model.rs',
      'crates/domain/src/tools/mod.rs',
    ]);
  });

  test('a trait with one implementation leaves no choice; default methods run unless replaced; tests are no choice', async () => {
    const { graph } = await graphOf({
      ...workspace,
      'crates/domain/src/open.rs': `use crate::Provider;
pub struct OpenAi;
impl Provider for OpenAi { fn chat(&self, id: &ModelId) -> String { String::new() } fn label(&self) -> String { String::new() } }
pub fn ask(p: &dyn Provider) { p.chat(x); p.name(); }
#[cfg(test)]
mod tests {
    use super::*;
    struct Mock;
    impl Provider for Mock { fn chat(&self, id: &ModelId) -> String { String::new() } fn label(&self) -> String { String::new() } }
    fn asks() { super::ask(&Mock); }
}
`,
    });
    const file = 'crates/domain/src/open.rs';
    expect(ends(graph, `${file}#ask`, 'calls')).toEqual([
      'crates/domain/src/model.rs#Provider.name',
      `${file}#OpenAi.chat`,
    ]);
    expect(ends(graph, 'crates/domain/src/model.rs#Provider.name', 'calls')).toEqual([`${file}#OpenAi.label`]);
    expect(ends(graph, `${file}#tests.asks`, 'calls')).toEqual([`${file}#ask`]);
  });

  test('modules that are compiled for tests only hold no choice', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': 'mod store;\n#[cfg(test)]\nmod spec;\n',
      'src/store.rs': `pub trait Store { fn save(&self); }
pub struct Disk;
impl Store for Disk { fn save(&self) {} }
pub fn go(s: &dyn Store) { s.save(); }
`,
      'src/spec/mod.rs': 'mod mocks;\n',
      'src/spec/mocks.rs': 'use crate::store::Store;\npub struct Mock;\nimpl Store for Mock { fn save(&self) {} }\n',
    });
    expect(ends(graph, 'src/store.rs#go', 'calls')).toEqual(['src/store.rs#Disk.save']);
    expect(graph.node('src/spec/mocks.rs#Mock.save')?.test).toBe(true);
  });

  test('methods that a trait lends to every type of another, and methods from another file', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': 'mod services;\nmod forge;\nmod more;\n',
      'src/services.rs': `pub trait Store { fn save(&self); }
pub trait Services { type Store: Store; fn store(&self) -> &Self::Store; }
impl<I: Services> Store for I { fn save(&self) { self.store().save(); } }
pub fn go<S: Store>(s: &S) { s.save(); }
`,
      'src/forge.rs': `use crate::services::*;
pub struct Disk;
impl Store for Disk { fn save(&self) {} }
`,
      'src/more.rs':
        'use crate::forge::Disk;\nimpl Disk { pub fn flush_all(&self) {} }\npub fn f(d: Disk) { d.flush_all(); }\n',
    });
    expect(ends(graph, 'src/services.rs#go', 'calls')).toEqual([
      'src/forge.rs#Disk.save ?',
      'src/services.rs#Services.save ?',
    ]);
    expect(ends(graph, 'src/more.rs#f', 'calls')).toEqual(['src/more.rs#Disk.flush_all']);
    expect(ends(graph, 'src/forge.rs#Disk', 'contains')).toContain('src/more.rs#Disk.flush_all');
  });

  test('variants, their payload in patterns, aliases, generated setters and the outside', async () => {
    const { graph, counts } = await graphOf({
      'src/lib.rs': `use gh_workflow::*;
pub struct Input;
impl Input { fn path_of(&self) {} }
pub enum Call { Read(Input), Stop }
pub type Short = Input;
#[derive(Setters)]
pub struct Options { limit: u32 }
impl Options { pub fn new() -> Self { Options { limit: 1 } } pub fn finish_it(&self) {} }
fn f(call: Call) {
    match call { Call::Read(input) => input.path_of(), Call::Stop => {} }
    let c = Call::Read(Short {});
    Options::new().limit(3).finish_it();
    Step::new("x").run();
}
`,
    });
    expect(ends(graph, 'src/lib.rs#f', 'calls')).toEqual([
      'src/lib.rs#Input.path_of',
      'src/lib.rs#Options.finish_it',
      'src/lib.rs#Options.new',
    ]);
    expect(ends(graph, 'src/lib.rs#f', 'constructs')).toEqual(['src/lib.rs#Call', 'src/lib.rs#Input']);
    expect(counts.unresolved).toBe(0);
  });
});

describe('state, prompts, tools and the outside of Rust', () => {
  test('fields and statics are read and written', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': `static LIMIT: u32 = 3;
pub struct Agent { steps: u32 }
impl Agent {
    fn new() -> Self { Self { steps: 0 } }
    fn turn(&mut self) -> bool { self.steps += 1; self.steps > LIMIT }
}
`,
    });
    expect(ends(graph, 'src/lib.rs#Agent.new', 'writes')).toEqual(['src/lib.rs#Agent.steps']);
    expect(ends(graph, 'src/lib.rs#Agent.turn', 'writes')).toEqual(['src/lib.rs#Agent.steps']);
    expect(new Set(ends(graph, 'src/lib.rs#Agent.turn', 'reads'))).toEqual(
      new Set(['src/lib.rs#Agent.steps', 'src/lib.rs#LIMIT']),
    );
  });

  test('included prompts are used by who reads them; an attribute names the text of a tool', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': `const SYSTEM: &str = include_str!("../prompts/system.md");
fn prompt() -> String { SYSTEM.to_string() }
#[tool_description_file = "prompts/read.md"]
pub struct Read;
`,
      'prompts/system.md': 'You are an agent.\n',
      'prompts/read.md': 'Reads a file.\n',
    });
    expect(ends(graph, 'src/lib.rs#prompt', 'uses-prompt')).toEqual(['prompt:prompts/system.md']);
    expect(ends(graph, 'src/lib.rs#Read', 'uses-prompt')).toEqual(['prompt:prompts/read.md']);
  });

  test('boundaries by library, through builders and parameters', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': `use tokio::process::Command;
use std::fs;
async fn f(client: &reqwest::Client, bedrock: aws_sdk_bedrockruntime::Client) {
    let mut command = Command::new("sh");
    command.arg("-c").spawn()?;
    fs::read_to_string("x")?;
    client.post(url).json(&body).send().await?;
    bedrock.converse_stream().model_id(id).send().await?;
    reqwest::Client::new().post(format!("{base}/chat/completions")).send().await;
    tokio::time::sleep(pause).await;
    uuid::Uuid::new_v4();
}
`,
    });
    expect(ends(graph, 'src/lib.rs#f', 'calls')).toEqual([
      'boundary:clock:tokio.time.sleep',
      'boundary:filesystem:std.fs.read_to_string',
      'boundary:model:aws_sdk_bedrockruntime.converse_stream',
      'boundary:model:aws_sdk_bedrockruntime.send',
      'boundary:network:reqwest.send',
      'boundary:network:reqwest.send',
      'boundary:process:tokio.process.Command.new',
      'boundary:process:tokio.process.Command.spawn',
      'boundary:random:uuid.new_v4',
    ]);
  });

  test('an enum of tools leads to what the arms of a match call', async () => {
    const { graph } = await graphOf({
      'src/lib.rs': `#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolCatalog { Read(Input), Shell(Input) }
pub struct Executor;
impl Executor {
    async fn run(&self, tool: ToolCatalog) {
        match tool {
            ToolCatalog::Read(input) => { let out = self.read_file(input.path).await?; out.into() }
            ToolCatalog::Shell(input) => self.shell(input).await,
        }
    }
    async fn read_file(&self, path: String) {}
    async fn shell(&self, input: Input) {}
}
`,
    });
    expect(graph.node('tool:read')).toMatchObject({ file: 'src/lib.rs', start: 3 });
    expect(ends(graph, 'tool:read', 'implements-tool')).toEqual(['src/lib.rs#Executor.read_file']);
    expect(ends(graph, 'tool:shell', 'implements-tool')).toEqual(['src/lib.rs#Executor.shell']);
  });
});
