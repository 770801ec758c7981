import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { built, placesOf } from '../../fixtureHarness';

async function harnessOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-entries-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return built(folder);
}

async function entriesOf(files: Record<string, string>): Promise<string[]> {
  const harness = await harnessOf(files);
  await harness.remove();
  return placesOf(harness.map, 'entry');
}

describe('entry points', () => {
  it('come from the scripts of pyproject.toml, through the command object', async () => {
    const files = {
      'pyproject.toml': '[project.scripts]\ntool = "app.cli:app"\n',
      'app/__init__.py': '',
      'app/cli.py': 'import typer\n\napp = typer.Typer()\n\n\n@app.command()\ndef start(task: str):\n    print(task)\n',
    };
    expect(await entriesOf(files)).toEqual(['app/cli.py#start']);
  });

  it('come from the bin of package.json, by its source file', async () => {
    const files = {
      'package.json': '{"name": "x", "bin": "./dist/run.js", "main": "src/lib.ts"}',
      'src/run.ts': 'export function main() {\n  return 1;\n}\nmain();\n',
      'src/lib.ts': 'export const a = 1;\n',
    };
    expect(await entriesOf(files)).toEqual(['src/run.ts#main']);
  });

  it('come from a main block where nothing is declared', async () => {
    const files = { 'go.py': 'def work():\n    return 1\n\n\nif __name__ == "__main__":\n    work()\n' };
    expect(await entriesOf(files)).toEqual(['go.py#work']);
  });

  it('come from harness.json before anything else', async () => {
    const files = {
      '.harnessmith/harness.json': '{"entryPoints": ["b.py#second"]}',
      'a.py': 'def first():\n    pass\n\n\nif __name__ == "__main__":\n    first()\n',
      'b.py': 'def second():\n    pass\n',
    };
    expect(await entriesOf(files)).toEqual(['b.py#second']);
  });

  it('survive a package.json that does not parse', async () => {
    expect(await entriesOf({ 'package.json': '{"name": ', 'a.js': 'export const a = 1;\n' })).toEqual([]);
  });
});

describe('packages of the same scope', () => {
  const files = {
    'package.json': '{"name": "@kit/agent", "dependencies": {"@kit/core": "1", "@kit/away": "1", "other": "1"}}',
    'src/index.js': 'import { turn } from "@kit/core";\nexport function run() {\n  return turn();\n}\n',
    'node_modules/@kit/core/package.json':
      '{"name": "@kit/core", "main": "index.js", "dependencies": {"@kit/../../x": "1"}}',
    'node_modules/@kit/core/index.js': 'export function turn() {\n  return 1;\n}\n',
    'node_modules/@kit/unused/index.js': 'export const no = 1;\n',
    'node_modules/other/index.js': 'export const no = 1;\n',
    '.gitignore': 'node_modules\n',
  };

  it('are part of the harness when they are installed and depended on; others stay out', async () => {
    const harness = await harnessOf(files);
    await harness.remove();
    expect(harness.graph.data.files.map((file) => file.path)).toEqual([
      'node_modules/@kit/core/index.js',
      'src/index.js',
    ]);
    expect(harness.graph.out('src/index.js#run', 'calls').map((edge) => edge.to)).toEqual([
      'node_modules/@kit/core/index.js#turn',
    ]);
  });

  it('are named when they are missing', async () => {
    const harness = await harnessOf(files);
    await harness.remove();
    expect(harness.map.notFound.join('\n')).toContain('Package @kit/away');
    expect(harness.map.notFound.join('\n')).not.toContain('@kit/core:');
  });
});
