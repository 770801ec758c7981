import { describe, expect, test } from 'vitest';
import { ends, graphOf } from './sources';

const mod = 'module example.com/harness\n\ngo 1.24\n';

describe('calls of Go', () => {
  const sources = {
    'go.mod': mod,
    'main.go': 'package main\n\nimport "example.com/harness/internal/agent"\n\nfunc main() {\n\tagent.New().Run()\n}\n',
    'internal/agent/agent.go': `package agent

import (
	tea "example.com/harness/internal/ui"
)

type Agent struct {
	Base
	tools  map[string]Tool
	client *tea.Client
}

func New() *Agent { return &Agent{client: tea.NewClient()} }

func (a *Agent) Run() error {
	a.client.Draw()
	a.note("x")
	for _, tool := range a.tools {
		tool.Execute()
	}
	state, err := load()
	state.save()
	helper()
	return err
}
`,
    'internal/agent/more.go': `package agent

type Base struct{ count int }

func (b *Base) note(text string) { b.count++ }

type State struct{}

func (s State) save() {}

func load() (*State, error) { return &State{}, nil }

// The method lies in another file than its type.
func (a *Agent) Stop() { a.client.Draw() }
`,
    'internal/agent/helper_windows.go': 'package agent\n\nfunc helper() {}\n',
    'internal/agent/helper_unix.go': 'package agent\n\nfunc helper() {}\n',
    'internal/agent/tool.go': `package agent

type Tool interface{ Execute() error }

type bash struct{}

func (bash) Execute() error { return nil }

type edit struct{}

func (e *edit) Execute() error { return nil }

type other struct{}

func (other) Execute(now bool) error { return nil }
`,
    'internal/agent/agent_test.go': `package agent

type fakeTool struct{}

func (fakeTool) Execute() error { return nil }

func TestRun(t *testing.T) { New().Stop() }
`,
    'internal/agent/outside_test.go':
      'package agent_test\n\nimport "example.com/harness/internal/agent"\n\nfunc use() { agent.New() }\n',
    'internal/ui/client.go':
      'package ui\n\ntype Client struct{}\n\nfunc NewClient() *Client { return &Client{} }\nfunc (c *Client) Draw() {}\n',
  };

  test('packages, constructors, fields, embedded methods, several results and the version for this platform', async () => {
    const { graph, counts } = await graphOf(sources);
    const run = 'internal/agent/agent.go#Agent.Run';
    expect(ends(graph, 'main.go#main', 'calls')).toEqual([run, 'internal/agent/agent.go#New'].sort());
    expect(ends(graph, run, 'calls')).toEqual([
      'internal/agent/helper_unix.go#helper',
      'internal/agent/more.go#Base.note',
      'internal/agent/more.go#State.save',
      'internal/agent/more.go#load',
      'internal/agent/tool.go#bash.Execute ?',
      'internal/agent/tool.go#edit.Execute ?',
      'internal/ui/client.go#Client.Draw',
    ]);
    expect(ends(graph, 'internal/agent/agent_test.go#TestRun', 'calls')).toEqual([
      'internal/agent/agent.go#New',
      'internal/agent/more.go#Agent.Stop',
    ]);
    expect(ends(graph, 'internal/agent/outside_test.go#use', 'calls')).toEqual(['internal/agent/agent.go#New']);
    expect(counts.unresolved).toBe(0);
  });

  test('a method in another file belongs to its type and knows its fields', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'internal/agent/agent.go#Agent', 'contains')).toContain('internal/agent/more.go#Agent.Stop');
    expect(ends(graph, 'internal/agent/more.go#Agent.Stop', 'calls')).toEqual(['internal/ui/client.go#Client.Draw']);
    expect(ends(graph, 'internal/agent/more.go#Agent.Stop', 'reads')).toEqual(['internal/agent/agent.go#Agent.client']);
  });

  test('imports lead to the files whose names are used', async () => {
    const { graph } = await graphOf(sources);
    expect(ends(graph, 'internal/agent/agent.go', 'imports')).toEqual(['internal/ui/client.go']);
    expect(ends(graph, 'main.go', 'imports')).toEqual(['internal/agent/agent.go']);
  });

  test('literals, locals that hide a package, closures by name, functions in lists and maps', async () => {
    const { graph, counts } = await graphOf({
      'go.mod': mod,
      'env/env.go':
        'package env\n\ntype Env struct{ vars map[string]string }\n\nfunc New() *Env { return &Env{} }\nfunc (e *Env) Lookup(k string) string { return e.vars[k] }\n',
      'run.go': `package main

import "example.com/harness/env"

type step struct {
	name string
	run  func() error
}

var steps = []step{{name: "first", run: first}, {name: "second", run: second}}
var handlers = map[string]func(){"a": onA}

func first() error  { return nil }
func second() error { return nil }
func onA()          {}

func main() {
	env := env.New()
	env.Lookup("x")
	again := func() { onA() }
	again()
	for _, s := range steps {
		s.run()
	}
	handlers["a"]()
	defer onA()
}
`,
    });
    expect(ends(graph, 'run.go#main', 'calls')).toEqual([
      'env/env.go#Env.Lookup',
      'env/env.go#New',
      'run.go#first',
      'run.go#main.again',
      'run.go#onA',
      'run.go#onA',
      'run.go#second',
    ]);
    expect(ends(graph, 'run.go', 'constructs')).toEqual([]);
    expect(counts.unresolved).toBe(0);
  });

  test('assertions and type switches give the type; a call that nothing explains is kept with its text', async () => {
    const { graph } = await graphOf({
      'a.go': `package a

type A struct{}

func (A) Go() {}

type B struct{}

func (*B) Go() {}

func f(x any, done func()) {
	if a, ok := x.(A); ok {
		a.Go()
	}
	done()
}

func g(x any) {
	switch v := x.(type) {
	case A:
		v.Go()
	case *B:
		v.Go()
	}
}
`,
    });
    expect(ends(graph, 'a.go#f', 'calls')).toEqual(['a.go#A.Go']);
    expect(new Set(ends(graph, 'a.go#g', 'calls'))).toEqual(new Set(['a.go#A.Go', 'a.go#B.Go']));
    expect(graph.data.unresolved).toEqual([{ from: 'a.go#f', text: 'done()', file: 'a.go', line: 15 }]);
  });
});

describe('state, prompts and the outside of Go', () => {
  test('fields and package variables are read and written across files, literals write too', async () => {
    const { graph } = await graphOf({
      'go.mod': mod,
      'a.go': 'package a\n\nvar limit = 10\n\ntype Agent struct{ steps int }\n',
      'b.go': `package a

func make() *Agent { return &Agent{steps: 1} }

func (a *Agent) turn() bool {
	a.steps++
	limit = 20
	return a.steps > limit
}
`,
    });
    expect(ends(graph, 'b.go#make', 'writes')).toEqual(['a.go#Agent.steps']);
    expect(new Set(ends(graph, 'b.go#Agent.turn', 'writes'))).toEqual(new Set(['a.go#Agent.steps', 'a.go#limit']));
    expect(new Set(ends(graph, 'b.go#Agent.turn', 'reads'))).toEqual(new Set(['a.go#Agent.steps', 'a.go#limit']));
  });

  test('an embedded prompt is used by the variable and by who reads it', async () => {
    const { graph } = await graphOf({
      'agent/prompts.go': `package agent

//go:embed x.md.tpl
var text []byte

func prompt() string { return string(text) }
`,
      'agent/x.md.tpl': 'You are an agent in {{.WorkingDir}}.\n',
    });
    const prompt = 'prompt:agent/x.md.tpl';
    expect(ends(graph, 'agent/prompts.go#text', 'uses-prompt')).toEqual([prompt]);
    expect(ends(graph, 'agent/prompts.go#prompt', 'uses-prompt')).toEqual([prompt]);
  });

  test('boundaries by library', async () => {
    const { graph } = await graphOf({
      'a.go': `package a

import (
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"time"

	"charm.land/fantasy"
	"github.com/openai/openai-go/v2"
)

type agent struct{ model fantasy.Agent }

func (a *agent) f(client *http.Client) {
	a.model.Stream(nil)
	c := openai.NewClient()
	c.Chat.Completions.New(nil, params)
	cmd := exec.Command("ls")
	out, err := cmd.CombinedOutput()
	os.ReadFile("x")
	res, _ := client.Do(req)
	res.Header.Get("y")
	time.Sleep(rand.Intn(3))
}
`,
    });
    expect(ends(graph, 'a.go#agent.f', 'calls')).toEqual([
      'boundary:clock:time.Sleep',
      'boundary:filesystem:os.ReadFile',
      'boundary:model:charm.land/fantasy.Agent.Stream',
      'boundary:model:github.com/openai/openai-go/v2.NewClient.Chat.Completions.New',
      'boundary:network:net/http.Client.Do',
      'boundary:process:os/exec.Command',
      'boundary:process:os/exec.Command.CombinedOutput',
      'boundary:random:math/rand.Intn',
    ]);
  });

  test('a tool leads to what runs it, its name followed through a constant', async () => {
    const { graph } = await graphOf({
      'a.go': `package a

const BashName = "bash"

func NewBash() Tool {
	return fantasy.NewAgentTool(BashName, describe(), func(p Params) (Response, error) { return run(p) })
}

func run(p Params) (Response, error) { return Response{}, nil }
`,
    });
    expect(ends(graph, 'tool:bash', 'implements-tool')).toEqual(['a.go#NewBash.func1']);
    expect(ends(graph, 'a.go#NewBash.func1', 'calls')).toEqual(['a.go#run']);
  });

  test('a library that runs the loop makes its call a loop, from which the tools are called', async () => {
    const source = (tools: string) => `package a

import "charm.land/fantasy"

func run() {
	agent := fantasy.NewAgent(model, ${tools})
	agent.Stream(ctx, fantasy.AgentStreamCall{
		Prompt: "x",
	})
}

func NewBash() fantasy.AgentTool {
	return fantasy.NewAgentTool("bash", "Runs.", func(p Params) (Response, error) { return none() })
}
`;
    const { graph } = await graphOf({ 'a.go': source('fantasy.WithTools(all...)') });
    expect(graph.node('a.go#run')?.loops).toEqual([{ start: 7, end: 9 }]);
    expect(ends(graph, 'a.go#run', 'calls')).toContain('a.go#NewBash.func1 ?');
    const { graph: without } = await graphOf({ 'a.go': source('fantasy.WithMaxTokens(1)') });
    expect(without.node('a.go#run')?.loops).toBeUndefined();
    expect(ends(without, 'a.go#run', 'calls')).not.toContain('a.go#NewBash.func1 ?');
  });

  test('main functions and what cobra runs start a run', async () => {
    const { graph } = await graphOf({
      'main.go': 'package main\n\nfunc main() {}\n',
      'lib.go':
        'package lib\n\nfunc main() {}\nvar c = &cobra.Command{RunE: func() error { return nil }}\nvar d = X{RunE: func() {}}\n',
    });
    const entries = graph.functions().flatMap(({ id, entry }) => (entry ? [`${id} ${entry}`] : []));
    expect(entries.sort()).toEqual(['lib.go#c.RunE command', 'main.go#main program']);
  });
});
