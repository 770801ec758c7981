import { describe, expect, test } from 'vitest';
import { goTypeText } from '../../../src/core/graph/languages/go/types';
import { factsOf } from './sources';

const factsIn = (body: string) => factsOf('a.go', `package a\n${body}`);
const symbolsOf = async (body: string) =>
  new Map((await factsIn(body)).symbols.map((symbol) => [symbol.qualname, symbol]));
const parts = async (expression: string) =>
  (await factsIn(`func f() { x(${expression}) }`)).strings.map((fact) => fact.parts);

describe('definitions of Go', () => {
  test('functions, methods with their receiver, and what is exported', async () => {
    const symbols = await symbolsOf(`
// Run asks the model. More text.
//
//go:noinline
func (a *agent) Run(ctx context.Context, opts ...Option) (*Result, error) {
	return nil, nil
}

func helper(a, b int, _ string) {}
`);
    expect(symbols.get('agent.Run')).toMatchObject({
      kind: 'method',
      receiver: 'agent',
      exported: true,
      doc: 'Run asks the model.',
      returns: '(*Result, error)',
      signature: 'Run(ctx context.Context, opts ...Option) (*Result, error)',
      start: 6,
      end: 8,
    });
    expect(symbols.get('agent.Run')?.parameters).toEqual([
      { name: 'ctx', type: 'context.Context' },
      { name: 'opts', type: '[]Option' },
    ]);
    expect(symbols.get('helper')?.parameters?.map(({ name }) => name)).toEqual(['a', 'b', '_']);
    expect(symbols.get('helper')?.exported).toBeUndefined();
  });

  test('structs, interfaces, other named types and aliases', async () => {
    const facts = await factsIn(`
type Agent struct {
	*Base
	pkg.Other
	name, title string \`json:"name"\`
	run func(int) error
}
type Runner interface {
	Stopper
	Run(ctx context.Context) error
	~int | string
}
type Role string
type Short = Agent
type List[T any] struct{ items []T }
func (l *List[T]) Get() T { return l.items[0] }
`);
    const symbols = new Map(facts.symbols.map((symbol) => [symbol.qualname, symbol]));
    expect(symbols.get('Agent')).toMatchObject({ kind: 'class', bases: ['Base', 'pkg.Other'] });
    expect(symbols.get('Agent')?.abstract).toBeUndefined();
    expect(symbols.get('Runner')).toMatchObject({ kind: 'class', abstract: true, bases: ['Stopper'] });
    expect(symbols.get('Runner.Run')).toMatchObject({ kind: 'method', abstract: true });
    expect(symbols.get('Role')?.signature).toBe('type Role string');
    expect(symbols.get('List.Get')?.receiver).toBe('List');
    expect(facts.locals).toContainEqual({ scope: '', name: 'Short', type: 'Agent', alias: true });
    expect(facts.attributes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Base Base',
      'Other pkg.Other',
      'name string',
      'title string',
      'run func(int) error',
      'items []T',
    ]);
  });

  test('function literals have a path when a name, a field or a key leads to them; others belong to their function', async () => {
    const symbols = await symbolsOf(`
var root = &cobra.Command{RunE: func(cmd *cobra.Command, args []string) error { return nil }}
var tools = map[string]func(){"read.file": func() {}}
func run() {
	step := func() { for { } }
	a.stream(Call{OnText: func(s string) {}})
	go func() { for i := range 3 { _ = i } }()
	a.hook = func() {}
	step()
}
`);
    expect([...symbols.keys()].sort()).toEqual([
      'root',
      'root.RunE',
      'run',
      'run.OnText',
      'run.hook',
      'run.step',
      'tools',
      'tools.read_file',
    ]);
    expect(symbols.get('run.step')?.loops).toEqual([{ start: 6, end: 6 }]);
    expect(symbols.get('run')?.loops).toEqual([{ start: 8, end: 8 }]);
  });

  test('package state, constants and embedded files', async () => {
    const facts = await factsIn(`
import _ "embed"

//go:embed templates/coder.md.tpl other.txt
var coderPrompt []byte

const (
	// Limit of steps in one run.
	MaxSteps = 50
	next
)
var a, b = 1, load()
`);
    expect(facts.embeds).toEqual([
      { variable: 'coderPrompt', path: 'templates/coder.md.tpl', line: 5 },
      { variable: 'coderPrompt', path: 'other.txt', line: 5 },
    ]);
    const symbols = new Map(facts.symbols.map((symbol) => [symbol.qualname, symbol]));
    expect(symbols.get('MaxSteps')).toMatchObject({ detail: '50', exported: true, doc: 'Limit of steps in one run.' });
    expect(symbols.get('b')?.detail).toBe('load()');
    expect([...symbols.values()].every(({ kind }) => kind === 'variable')).toBe(true);
  });
});

describe('strings of Go', () => {
  test('escapes are decoded, raw strings are kept, sums are one string', async () => {
    expect(await parts('"a tab\\tand \\u00e9 \\x41 \\101"')).toEqual([['a tab\tand é A A']]);
    expect(await parts('`raw \\n stays so`')).toEqual([['raw \\n stays so']]);
    expect(await parts('"You are an " + "agent named " + name + "."')).toEqual([
      ['You are an agent named ', null, '.'],
    ]);
  });

  test('verbs are placeholders only where a format string stands; template actions always', async () => {
    const { strings } = await factsIn(`func f() {
	err := fmt.Errorf("tool %q failed after %d steps: %w", name, 3, cause)
	log.Print("at 100% done %s times")
	t := "Working in {{.WorkingDir}} today"
	fmt.Sprintf("%[1]s is %+v, %5.2f%% of them all %*d", a, b, c)
}`);
    expect(strings.map((fact) => fact.parts)).toEqual([
      ['tool ', null, ' failed after ', null, ' steps: ', null],
      ['at 100% done %s times'],
      ['Working in ', null, ' today'],
      [null, ' is ', null, ', ', null, '% of them all ', null],
    ]);
  });
});

describe('configuration and tools of Go', () => {
  test('environment variables, viper keys, flags and tagged fields are configuration', async () => {
    const { configurations } = await factsIn(`
type Options struct {
	MaxSteps int \`json:"max_steps,omitempty" jsonschema:"default=30"\`
	hidden string \`json:"-"\`
}
type Message struct { Role string \`json:"role"\` }
func f(cmd *cobra.Command) {
	a := os.Getenv("CRUSH_TRACE")
	viper.SetDefault("model.name", "gpt-5")
	viper.GetString("model.name")
	cmd.Flags().StringVarP(&x, "cwd", "c", ".", "folder")
	flag.Bool("yolo", false, "no questions")
	debug, _ := cmd.Flags().GetBool("debug")
	os.Getenv(name)
}`);
    expect(configurations.map(({ key, default: otherwise }) => [key, otherwise])).toEqual([
      ['max_steps', '30'],
      ['CRUSH_TRACE', undefined],
      ['model.name', '"gpt-5"'],
      ['model.name', undefined],
      ['cwd', '"."'],
      ['yolo', 'false'],
      ['debug', undefined],
    ]);
  });

  test('tools by maker, by literal with handler, and by a type that describes itself', async () => {
    const { tools } = await factsIn(`
func NewBash() fantasy.AgentTool {
	return fantasy.NewAgentTool("bash", "Runs a command.", func(ctx context.Context, p Params) (Response, error) { return run(p) })
}
func serve(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "reply", Description: "Sends a message."}, handle)
	s.AddTool(mcp.NewTool("list", mcp.WithDescription("Lists files.")), t.list)
}
func (v *view) Info() ToolInfo {
	return ToolInfo{Name: ViewName, Description: viewText, Parameters: map[string]any{}}
}
var command = cobra.Command{Name: "x", Description: "no tool"}
`);
    expect(
      tools.map(({ name, description, scope, implementations }) => ({ name, description, scope, implementations })),
    ).toEqual([
      { name: 'bash', description: 'Runs a command.', scope: 'NewBash', implementations: ['NewBash.func1'] },
      { name: 'reply', description: 'Sends a message.', scope: 'serve', implementations: ['handle'] },
      { name: 'list', description: 'Lists files.', scope: 'serve', implementations: ['t.list'] },
      {
        name: 'ViewName',
        description: undefined,
        scope: 'view.Info',
        implementations: ['view.Run', 'view.Execute', 'view.Call', 'view.Invoke', 'view.Handle'],
      },
    ]);
  });
});

describe('types of Go', () => {
  test.each([
    ['*Agent', 'Agent'],
    ['[]*pkg.Tool', 'Array<pkg.Tool>'],
    ['map[string][]Tool', 'Map<any, Array<Tool>>'],
    ['<-chan Event', 'Array<Event>'],
    ['...Option', 'Option'],
    ['func(ctx context.Context, f func()) (*Result, error)', '() => Result'],
    ['csync.Map[string, *Client]', 'csync.Map<any, Client>'],
    ['(*Result, error)', 'Result'],
    ['(result Result, err error)', 'Result'],
    ['(ch chan Event, err error)', 'Array<Event>'],
    ['interface{ Run() }', 'any'],
    ['[4]int', 'Array<any>'],
  ])('%s is %s', (source, text) => {
    expect(goTypeText(source)).toBe(text);
  });

  test('a later result of several', () => {
    expect(goTypeText('(Model, *Small, error)', 1)).toBe('Small');
    expect(goTypeText('(Model, *Small, error)', 5)).toBe('any');
    expect(goTypeText('Model', 1)).toBe('any');
  });
});
