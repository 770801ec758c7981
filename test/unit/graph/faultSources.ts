/** Small harnesses that use one function and a few attributes in every form their language has. */
export const python = {
  'agent/__init__.py': 'from agent.core import Agent, clip\n',
  'agent/core.py': `from __future__ import annotations

LIMIT: int = 8
names: list[str]

def clip(text: str, size: int = 3) -> str:
    return text[:size]

class Agent:
    steps: int = 0
    budget: float
    last: str | None = None

    def __init__(self, model, budget: float = 2.0):
        self.model = model
        self.budget: float = budget
        self.steps: int = 0
        self.last: str | None = None
        self.log: list[str] = [clip("begin")]

    def run(self, task):
        while self.steps < LIMIT and self.budget > 0:
            self.steps += 1
            self.last = clip(self.model.query(task))
            self.log.append(clip(self.last) if self.last else clip(""))
            if self.steps % 2 == 0 and self.last is not None:
                self.save(note=clip(self.last))
        return [clip(entry) for entry in self.log]

    def save(self, note, *, shorten=clip):
        self.budget -= float(len(self.log))
        return {"last": clip(self.last), "steps": f"{self.steps} of {LIMIT}", "note": shorten(note)}

    @property
    def left(self) -> float:
        return self.budget - self.steps
`,
  'agent/view.py': `import agent
from agent import core
from agent.core import clip as cut, Agent

def title(text):
    return cut(text) + agent.clip(text)

class View:
    header = core.clip("header")
    def draw(self, subject: Agent):
        lines = sorted(subject.log, key=lambda line: cut(line))
        try:
            return cut(lines[0]), subject.steps, subject.budget
        finally:
            subject.steps = 0

if __name__ == "__main__":
    print(cut("main"))
`,
};

export const typescript = {
  'src/clip.ts': 'export function clip(text: string, size = 3) { return text.slice(0, size); }\nexport default clip;\n',
  'src/agent.ts': `import { clip } from './clip';
export interface Options { limit: number }
export class Agent {
  steps: number = 0;
  last?: string;
  readonly log: string[] = [clip('begin')];
  constructor(private readonly options: Options, public label = clip('label')) {}
  get left(): number {
    return this.options.limit - this.steps;
  }
  run(query: (task: string) => string) {
    while (this.steps < this.options.limit) {
      this.steps++;
      this.last = clip(query('x'));
      this.log.push(\`\${clip(this.last)} of \${this.steps}\`);
      const note: string = this.last ?? clip('none');
      this.save({ note, short: clip(note) });
    }
    return this.log.map((entry) => clip(entry));
  }
  private save = (entry: { note: string; short: string }) => clip(entry.note) + this.label;
}
`,
  'src/view.ts': `import * as text from './clip';
import cut, { clip as short } from './clip';
import type { Agent } from './agent';
export const parts = ({ steps, log }: Agent) => [steps, ...log];
export const header = cut('header');
export function draw(agent: Agent) {
  const { steps, log } = agent;
  ({ last: agent.last, label: agent.label } = { last: 'x', label: short('y') });
  return [steps, log.length, short(agent.label), text.clip('x'), agent.last && cut(agent.last)];
}
`,
};

export const go = {
  'go.mod': 'module example.com/a\n',
  'clip/clip.go': 'package clip\n\nfunc Clip(text string, size int) string { return text[:size] }\n',
  'agent/agent.go': `package agent

import short "example.com/a/clip"

type Agent struct {
	Steps int
	Last  string
}

var header = short.Clip("header", 1)

func (a *Agent) Run(query func(string) string) []string {
	for a.Steps < 8 {
		a.Steps++
		a.Last = short.Clip(query("x"), 2)
		if text := short.Clip(a.Last, 1); text != "" {
			defer func() { _ = short.Clip(text, a.Steps) }()
		}
		go short.Clip(a.Last, 3)
	}
	return []string{short.Clip(a.Last, 1), a.Last}
}
`,
};

export const rust = {
  'Cargo.toml': '[package]\nname = "a"\n',
  'src/lib.rs': 'pub mod agent;\npub mod text;\n',
  'src/text.rs': 'pub fn clip(text: &str, size: usize) -> String { text.chars().take(size).collect() }\n',
  'src/agent.rs': `use crate::text::{self, clip as cut};

pub struct Agent { pub steps: usize, pub last: String, limit: usize }

impl Agent {
    pub fn new(limit: usize) -> Self { Agent { steps: 0, last: cut("begin", 2), limit } }
    pub fn run(&mut self, query: impl Fn(&str) -> String) -> Vec<String> {
        while self.steps < self.limit {
            self.steps += 1;
            self.last = text::clip(&query("x"), 3);
            println!("{} {}", cut(&self.last, 1), self.steps);
        }
        let ending = cut("end", 3);
        let all = vec![crate::text::clip(&ending, 1), self.last.clone()];
        all.iter().map(|entry| cut(entry, self.limit)).collect()
    }
}
`,
};
