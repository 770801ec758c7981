import { describe, expect, test } from 'vitest';
import { languageById } from '../../../src/core/graph/languages';
import { goModules } from '../../../src/core/graph/languages/go/modules';
import { pythonModules } from '../../../src/core/graph/languages/python/modules';
import { rustModules } from '../../../src/core/graph/languages/rust/modules';
import { typeScriptModules } from '../../../src/core/graph/languages/typescript/modules';
import { boundaryOf } from '../../../src/core/graph/linker/boundaries';
import { alternativesOf, returnOfFunctionType } from '../../../src/core/graph/linker/typeText';
import { readPackage } from '../../../src/core/graph/packages';

describe('Python modules', () => {
  const { find } = pythonModules([
    'src/app/__init__.py',
    'src/app/core/loop.py',
    'src/app/io.py',
    'lib/app/core/loop.py',
    'tools.py',
  ]);

  test.each([
    ['app.core.loop', 'src/app/__init__.py', 'src/app/core/loop.py'],
    ['app.core.loop', 'lib/app/x.py', 'lib/app/core/loop.py'],
    ['.core.loop', 'src/app/io.py', 'src/app/core/loop.py'],
    ['..io', 'src/app/core/loop.py', 'src/app/io.py'],
    ['.', 'src/app/io.py', 'src/app/__init__.py'],
    ['tools', 'src/app/io.py', 'tools.py'],
    // The standard library, not the file of the same name in a package.
    ['io', 'tools.py', null],
    ['os.path', 'tools.py', null],
    ['...x', 'tools.py', null],
  ])('%s in %s is %s', (specifier, from, file) => {
    expect(find(specifier, from)).toBe(file);
  });
});

describe('Python modules of folders that scripts put on their path', () => {
  const { find } = pythonModules([
    'tools/browser/bin/open_site',
    'tools/browser/lib/browser_utils.py',
    'tools/browser/lib/io.py',
    'tools/registry/lib/__init__.py',
    'tools/registry/lib/registry.py',
    'app/__init__.py',
    'app/lib/__init__.py',
    'app/lib/text_parts.py',
    'app/providers/fast_model.py',
    'pkg/__init__.py',
    'pkg/http_client.py',
    'examples/a/shared_parts.py',
    'examples/b/shared_parts.py',
    'stubs/yaml_fast.pyi',
    'tests/rich_text.py',
  ]);

  test.each([
    ['browser_utils', 'tools/browser/bin/open_site', 'tools/browser/lib/browser_utils.py'],
    ['browser_utils', 'tests/test_browser.py', 'tools/browser/lib/browser_utils.py'],
    // One word is taken for such a module only in a bundle of its name, from another bundle.
    ['registry', 'tools/browser/lib/browser_utils.py', 'tools/registry/lib/registry.py'],
    ['registry', 'tools/browser/bin/open_site', 'tools/registry/lib/registry.py'],
    ['registry', 'tests/test_browser.py', null],
    ['io', 'tools/browser/bin/open_site', null],
    // What lies in a package is reached through the package.
    ['text_parts', 'tests/test_browser.py', null],
    ['fast_model', 'tests/test_browser.py', null],
    ['http_client', 'tests/test_browser.py', null],
    // Two files could be meant.
    ['shared_parts', 'tests/test_browser.py', null],
    ['shared_parts', 'examples/a/main.py', 'examples/a/shared_parts.py'],
    // Declarations say what a library has.
    ['yaml_fast', 'tests/test_browser.py', null],
    // Only tests import helpers of tests.
    ['rich_text', 'tools/browser/lib/io.py', null],
    ['rich_text', 'browser/tests/test_text.py', 'tests/rich_text.py'],
  ])('%s in %s is %s', (specifier, from, file) => {
    expect(find(specifier, from)).toBe(file);
  });
});

describe('TypeScript modules', () => {
  const { find } = typeScriptModules(
    ['src/a.ts', 'src/b/index.tsx', 'src/c.js', 'packages/p/src/index.ts', 'packages/p/src/deep/x.ts', 'types/d.d.ts'],
    [{ name: '@s/p', folder: 'packages/p', entries: ['./dist/index.js'], exports: {} }],
  );

  test.each([
    ['./a', 'src/c.js', 'src/a.ts'],
    ['./a.js', 'src/c.js', 'src/a.ts'],
    ['./b', 'src/a.ts', 'src/b/index.tsx'],
    ['../src/c', 'types/d.d.ts', 'src/c.js'],
    ['@/a', 'src/b/index.tsx', 'src/a.ts'],
    ['@s/p', 'src/a.ts', 'packages/p/src/index.ts'],
    ['@s/p/deep/x', 'src/a.ts', 'packages/p/src/deep/x.ts'],
    ['../types/d', 'src/a.ts', 'types/d.d.ts'],
    ['zod', 'src/a.ts', null],
    ['./missing', 'src/a.ts', null],
  ])('%s in %s is %s', (specifier, from, file) => {
    expect(find(specifier, from)).toBe(file);
  });

  test('package files: names, conditions, and what is none', () => {
    const text =
      '{ "name": "p", "main": "lib/m.js", "exports": { ".": { "types": "./t.d.ts", "import": "./e.js" }, "./s": "./s.js" } }';
    expect(readPackage('x/package.json', text)).toMatchObject({
      name: 'p',
      folder: 'x',
      exports: { '.': './e.js', './s': './s.js' },
    });
    expect(readPackage('package.json', '{ "private": true }')).toBeNull();
    expect(readPackage('package.json', '{ not json')).toBeNull();
  });
});

describe('type annotations', () => {
  test.each([
    ['Optional["Foo"]', [['Optional', ['"Foo"'], false]]],
    [
      'A | null | B.C',
      [
        ['A', [], false],
        ['null', [], false],
        ['B.C', [], false],
      ],
    ],
    ['Map<string, Promise<Foo>>', [['Map', ['string', 'Promise<Foo>'], false]]],
    ['readonly Tool[]', [['Tool', [], true]]],
    [
      '(Foo | Bar)[]',
      [
        ['Foo', [], true],
        ['Bar', [], true],
      ],
    ],
    ['(a: A) => void', []],
  ])('%s', (text, expected) => {
    expect(alternativesOf(text).map(({ name, arguments: inner, array }) => [name, inner, array])).toEqual(expected);
  });

  test('the result of function types', () => {
    expect(returnOfFunctionType('(a: A) => Promise<B>')).toBe('Promise<B>');
    expect(returnOfFunctionType('Callable[[A], B]')).toBe('B');
    expect(returnOfFunctionType('Foo')).toBeUndefined();
  });
});

describe('boundaries', () => {
  const python = languageById('python')!;

  test.each([
    ['subprocess.run', undefined, 'process'],
    ['subprocess.run().stdout.strip', undefined, undefined],
    ['subprocess.CompletedProcess', undefined, undefined],
    ['openai.OpenAI().chat.completions.create', undefined, 'model'],
    ['pathlib.Path().read_text', undefined, 'filesystem'],
    ['open', undefined, 'filesystem'],
    ['httpx.post', 'http://localhost/v1/messages', 'model'],
    ['httpx.post', 'http://localhost/upload', 'network'],
    ['time.time', undefined, 'clock'],
    ['json.dumps', undefined, undefined],
  ])('%s with %s', (name, address, kind) => {
    expect(boundaryOf(name, python, address)?.kind).toBe(kind);
  });
});

describe('Rust modules', () => {
  const crate = (folder: string, text: string) => readPackage(`${folder}/Cargo.toml`, text)!;
  const { find, isInside } = rustModules(
    [
      'app/src/main.rs',
      'app/src/agent.rs',
      'app/src/agent/limits.rs',
      'app/src/tools/mod.rs',
      'app/src/tools/bash.rs',
      'app/tests/suite/main.rs',
      'app/tests/suite/cases.rs',
      'core/lib/entry.rs',
      'core/lib/other.rs',
    ],
    [
      crate('app', '[package]\nname = "my-app"\n'),
      crate('core', '[package]\nname = "core-x"\n\n[lib]\npath = "lib/entry.rs"\n'),
    ],
  );

  test.each([
    ['crate', 'app/src/agent/limits.rs', 'app/src/main.rs'],
    ['crate', 'app/tests/suite/cases.rs', 'app/tests/suite/main.rs'],
    ['crate', 'core/lib/other.rs', 'core/lib/entry.rs'],
    ['super', 'app/src/agent/limits.rs', 'app/src/agent.rs'],
    ['super', 'app/src/tools/bash.rs', 'app/src/tools/mod.rs'],
    ['super', 'app/src/tools/mod.rs', 'app/src/main.rs'],
    ['self::limits', 'app/src/agent.rs', 'app/src/agent/limits.rs'],
    ['self::tools', 'app/src/main.rs', 'app/src/tools/mod.rs'],
    ['path:tools/bash.rs', 'app/src/main.rs', 'app/src/tools/bash.rs'],
    ['core_x', 'app/src/main.rs', 'core/lib/entry.rs'],
    ['serde', 'app/src/main.rs', null],
    ['super', 'app/src/main.rs', null],
  ])('%s in %s is %s', (specifier, from, file) => {
    expect(find(specifier, from)).toBe(file);
  });

  test('names of the harness are told from crates outside', () => {
    expect(['crate', 'super', 'self::x', 'serde'].map((name) => isInside?.(name))).toEqual([true, true, true, false]);
  });
});

describe('Go packages', () => {
  const module = readPackage('go.mod', 'module example.com/app/v2\n\ngo 1.24\n')!;
  const files = ['main.go', 'internal/agent/agent.go', 'internal/agent/agent_test.go'];

  test.each([
    ['example.com/app/v2', '*.go'],
    ['example.com/app/v2/internal/agent', 'internal/agent/*.go'],
    ['example.com/app/v2/internal/none', null],
    ['fmt', null],
  ])('%s is %s', (specifier, key) => {
    expect(goModules(files, [module]).find(specifier, 'main.go')).toBe(key);
  });

  test('without go.mod the end of the path decides', () => {
    expect(goModules(files, []).find('example.com/x/internal/agent', 'main.go')).toBe('internal/agent/*.go');
    expect(goModules(files, []).find('agent', 'main.go')).toBeNull();
  });
});
