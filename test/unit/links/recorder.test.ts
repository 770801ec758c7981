import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../../src/core/harness';
import { type ModelFunction, runRecorded } from '../../../src/core/links';
import { RecordingLine } from '../../../src/core/links/recording/model';
import { parseLines } from '../../../src/core/links/recording/parseLines';
import { temporaryFolders, writeFiles } from '../traces/helpers';

const folder = temporaryFolders();

/** Windows as `phase call: functions`, of the thread that asked the model, else of all. */
async function recorded(
  files: Record<string, string>,
  command: (root: string) => string[],
  models: ModelFunction[] = [],
) {
  const root = await folder();
  await writeFiles(root, files);
  const harness = await openHarness(root);
  const answer = await runRecorded({ harness, command: command(root), folder: root, models, output: 'stderr' });
  const lines = [...parseLines(answer.text, RecordingLine)];
  const names = new Map(lines.flatMap((line) => (line.kind === 'function' ? [[line.id, line] as const] : [])));
  const windows = lines.filter((line) => line.kind === 'window');
  return {
    root: harness.root,
    answer,
    functions: [...names.values()],
    windows: windows.map(({ phase, call, functions }) => {
      const told = functions.map(([id, count]) => `${names.get(id)?.name}*${count}`).sort();
      return `${phase} ${call}: ${told.join(' ')}`;
    }),
    streams: new Set(windows.map(({ stream }) => stream)).size,
  };
}

const AGENT = `import json
import library.helper


class Model:
    def query(self, text):
        self.count()
        return text

    def count(self):
        pass


def tool(number):
    if number == 2:
        raise ValueError("no")
    return number


def main():
    model = Model()
    json.dumps({"a": 1})
    library.helper.outside()
    for number in (1, 2):
        model.query("x")
        try:
            tool(number)
        except ValueError:
            pass


main()
`;
const models = (name = 'query', start = 6, end = 8) => [{ file: 'src/agent.py', name, start, end }];

describe('the recorder of Python', () => {
  it('counts entries of the harness only and cuts at model calls, also where a tool raises', async () => {
    const { windows, functions, answer } = await recorded(
      {
        'src/agent.py': AGENT,
        'src/library/__init__.py': '',
        'src/library/helper.py': 'def outside():\n    return 1\n',
      },
      () => ['python3', 'src/agent.py'],
      models(),
    );
    expect(answer).toMatchObject({ processes: 1, calls: 2, head: { exitCode: 0 } });
    const plain = windows.map((line) => line.replace(/Model\./g, ''));
    expect(plain).toEqual([
      'before 0: Model*1 main*1 outside*1',
      'model 1: count*1 query*1',
      'after 1: tool*1',
      'model 2: count*1 query*1',
      'after 2: tool*1',
    ]);
    expect(functions.find(({ name }) => name === 'tool')).toMatchObject({ file: 'src/agent.py', line: 14 });
  });

  it('sees a coroutine as one call however often it waits, and leaves when it fails', async () => {
    const source = `import asyncio


async def query(fails):
    await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)
    inner()
    if fails:
        raise RuntimeError("no")


def inner():
    pass


def handle():
    pass


async def main():
    await query(False)
    handle()
    try:
        await query(True)
    except RuntimeError:
        handle()


asyncio.run(main())
`;
    const { windows } = await recorded(
      { 'src/agent.py': source },
      () => ['python3', 'src/agent.py'],
      models('query', 4, 9),
    );
    expect(windows).toEqual([
      'before 0: main*1',
      'model 1: inner*1 query*1',
      'after 1: handle*1',
      'model 2: inner*1 query*1',
      'after 2: handle*1',
    ]);
  });

  it('goes on in threads, in forks and in processes it starts, and keeps the own sitecustomize', async () => {
    const source = `import os
import subprocess
import sys
import threading


def query():
    pass


def in_thread():
    pass


def in_fork():
    pass


query()
thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
child = os.fork()
if child == 0:
    in_fork()
    sys.exit(0)
os.waitpid(child, 0)
subprocess.run([sys.executable, "src/child.py"], check=True)
assert sys.own_customization
`;
    const child = 'def in_child():\n    pass\n\n\nin_child()\n';
    const { functions, answer, streams } = await recorded(
      {
        'src/agent.py': source,
        'src/child.py': child,
        'own/sitecustomize.py': 'import sys\nsys.own_customization = True\n',
      },
      (root) => [
        'python3',
        '-c',
        `import os, sys; os.environ["PYTHONPATH"] += os.pathsep + ${JSON.stringify(join(root, 'own'))}; os.execv(sys.executable, [sys.executable, "src/agent.py"])`,
      ],
      models('query', 7, 8),
    );
    expect(functions.map(({ name }) => name).sort()).toEqual(['in_child', 'in_fork', 'in_thread', 'query']);
    expect(answer.head.exitCode).toBe(0);
    expect(answer.processes).toBeGreaterThanOrEqual(3);
    expect(streams).toBeGreaterThanOrEqual(4);
  });
});

const NODE_AGENT = `import { createServer } from 'node:http';
import { spawnSync } from 'node:child_process';

class Agent {
  turn = 0;
  async ask() {
    const body = JSON.stringify({ model: 'm', messages: [] });
    const url = 'http://127.0.0.1:' + this.port + '/v1/chat/completions';
    for (;;) {
      const response = await fetch(url, { method: 'POST', body });
      if (response.ok) return response.text();
      retry();
    }
  }
}
function retry() {}
function tool() {}
function never() {}
function child() { spawnSync(process.execPath, ['src/child.mjs'], { stdio: 'inherit' }); }

let asked = 0;
const server = createServer((request, response) => {
  response.statusCode = ++asked === 2 ? 500 : 200;
  response.end('{}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const agent = new Agent();
agent.port = server.address().port;
await agent.ask();
tool();
await agent.ask();
child();
server.close();
if (asked > 9) never();
`;

describe('the recorder of Node', () => {
  it('cuts at answered requests to a model, whatever the server', async () => {
    const { windows, functions, answer } = await recorded(
      { 'src/agent.mjs': NODE_AGENT, 'src/child.mjs': 'function inChild() {}\ninChild();\n' },
      () => [process.execPath, 'src/agent.mjs'],
    );
    expect(answer).toMatchObject({ processes: 2, calls: 2, head: { exitCode: 0 } });
    const names = functions.map(({ name }) => name);
    expect(names).toContain('inChild');
    expect(names).not.toContain('never');
    expect(functions.find(({ name }) => name === 'tool')).toMatchObject({ file: 'src/agent.mjs', line: 17 });
    const has = (start: string, name: string) => windows.find((line) => line.startsWith(start))?.includes(name);
    expect(has('before 0', 'ask')).toBe(true);
    expect(has('after 1', 'tool')).toBe(true);
    // The request that failed and was tried again is one call.
    expect(has('model 2', 'retry')).toBe(true);
    expect(has('after 2', 'child')).toBe(true);
  });

  it('finds the lines of TypeScript that Node runs as it is', async () => {
    const source =
      'interface Shape {\n  side: number;\n}\n\nfunction area(shape: Shape): number {\n  return shape.side ** 2;\n}\n\narea({ side: 2 });\n';
    const { functions } = await recorded({ 'src/shape.ts': source }, () => [process.execPath, 'src/shape.ts']);
    expect(functions).toMatchObject([{ name: 'area', file: 'src/shape.ts', line: 5 }]);
  });
});

describe('a command', () => {
  it('of another language is run and not recorded', async () => {
    const { answer } = await recorded({ 'a.py': '' }, () => ['true']);
    expect(answer).toMatchObject({ processes: 0, functions: 0, calls: 0, head: { exitCode: 0 } });
  });

  it('that does not exist is told of', async () => {
    await expect(recorded({ 'a.py': '' }, () => ['no-such-program-at-all'])).rejects.toMatchObject({
      code: 'command-missing',
    });
  });

  it('keeps its arguments as they are, without a shell', async () => {
    const { root, answer } = await recorded(
      { 'src/args.py': 'import sys\nopen("args.txt", "w").write(repr(sys.argv[1:]))\n' },
      () => ['python3', 'src/args.py', '$(touch owned); "x"', '--flag'],
    );
    expect(answer.head.exitCode).toBe(0);
    expect(await readFile(join(root, 'args.txt'), 'utf8')).toBe(`['$(touch owned); "x"', '--flag']`);
  });

  it('runs although the recorder cannot start', async () => {
    const root = await folder();
    await writeFile(join(root, 'a.py'), 'print("ran")\n');
    const harness = await openHarness(root);
    const answer = await runRecorded({
      harness,
      command: ['env', 'HARNESSMITH_RECORDING=/nowhere/settings.json', 'python3', 'a.py'],
      folder: root,
      models: [],
      output: 'stderr',
    });
    expect(answer).toMatchObject({ functions: 0, head: { exitCode: 0 } });
  });
});
