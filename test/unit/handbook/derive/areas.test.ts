/** Concerns without a kind of their own, the titles of what is left over, and the groups of a full stage. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPages } from '../../../../src/core/handbook';
import { areaOf } from '../../../../src/core/handbook/derive/areas';
import { Scope } from '../../../../src/core/handbook/derive/scope';
import { groupsOf } from '../../../../src/core/handbook/derive/stageGroups';
import type { BuiltHarness } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';
import { harnessSources } from './harnessSources';

const python = harnessSources.find(({ file }) => file.endsWith('.py'));

const service = (name: string, doc: string, methods: string[]): string =>
  `class ${name}:\n    """${doc}"""\n\n${methods.map((method) => `    def ${method}(self):\n        return "${method}"\n`).join('\n')}`;

describe('areas of a harness', () => {
  let harness: BuiltHarness;
  beforeAll(async () => {
    harness = await harnessOf({
      [python?.file ?? 'agent.py']: python?.text ?? '',
      'src/mcp/client.py': service('McpClient', 'Talks to servers of tools.', [
        'connect',
        'list_names',
        'ask',
        'close',
      ]),
      'src/mcp/names.py': 'def joined(server, tool):\n    return server + tool\n',
      'src/policy/policy_engine.py': service('PolicyEngine', 'Rules of what may run.', ['add_rule', 'rules', 'decide']),
      'src/telemetry/metrics.py': 'def count(name):\n    return name\n',
      'src/billing/invoice.py': service('Invoice', 'Adds up what a customer owes. Long.', [
        'total',
        'lines',
        'tax',
        'due',
      ]),
      'evals/mcp_eval.py': 'def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef three():\n    return 3\n',
    });
  });
  afterAll(() => harness.remove());

  it('are units that the first page names', () => {
    const areas = harness.map.units.filter((unit) => unit.area !== undefined);
    expect(areas.map((unit) => unit.title).sort()).toEqual([
      'MCP client: McpClient (2 files of src/mcp)',
      'Policy engine: PolicyEngine',
    ]);
    const client = areas.find((unit) => unit.area === 'MCP client');
    expect(client?.sites[0]?.file).toBe('src/mcp/client.py');
    const page = renderPages(harness.map, harness.graph, harness.folder)[0]?.markdown ?? '';
    expect(/^- Also here: .*$/m.exec(page)?.[0]).toMatch(
      /MCP client: McpClient.*Policy engine: PolicyEngine|Policy engine: PolicyEngine.*MCP client: McpClient/,
    );
  });

  it('are no name without code behind it, and nothing of scripts and evaluations', () => {
    const sites = harness.map.units.filter((unit) => unit.area !== undefined).flatMap((unit) => unit.sites);
    expect(sites.map((site) => site.file).filter((file) => /telemetry|evals/.test(file))).toEqual([]);
  });

  it('leave a class with a comment the words of its comment', () => {
    expect(harness.map.units.map((unit) => unit.title)).toContain('Invoice: Adds up what a customer owes');
  });

  it('go by the class, then the file, then the folders, and not by a type of a few fields', () => {
    const scope = new Scope(harness.graph);
    const name = (file: string, owner = '', members = 9) => areaOf(file, { name: owner, members }, scope)?.title;
    expect(name('src/tools/mcp_tool.py')).toBe('MCP client');
    expect(name('src/core/session.py', 'SandboxManager')).toBe('Sandbox');
    expect(name('src/core/session.py', 'SandboxOptions', 1)).toBeUndefined();
    expect(name('src/sandbox/linux/seccomp.py')).toBe('Sandbox');
    expect(name('src/ui/hooks/useStream.ts')).toBeUndefined();
    expect(name('src/routing/strategies/default_strategy.ts')).toBe('Model routing');
    expect(name('src/sorting/default_strategy.ts')).toBeUndefined();
  });
});

describe('groups of a stage', () => {
  const unit = (id: string, kind: string, file: string, area?: string) =>
    ({ id, kind, sites: [{ file }], ...(area ? { area } : {}) }) as never;

  it('are headings where a stage holds more than a dozen units', () => {
    const few = [unit('a', 'limits', 'x.py')];
    expect(groupsOf(few).size).toBe(0);
    const many = Array.from({ length: 11 }, (_, index) => unit(`u${index}`, 'tool_read', 'x.py'));
    const groups = groupsOf([
      ...many,
      unit('limit', 'limits', 'x.py'),
      unit('area', 'other', 'src/mcp/x.py', 'MCP client'),
      unit('unit:other:tools:other', 'other', 'x.py'),
      unit('rest', 'other', 'a/b/c/d/e/f.py'),
    ]);
    expect(groups.get('u0')).toBe('Tools');
    expect(groups.get('limit')).toBe('Limits and ends');
    expect(groups.get('area')).toBe('MCP client');
    expect(groups.get('unit:other:tools:other')).toBe('Tools');
    expect(groups.get('rest')).toBe('Code of a/b/c/d');
  });
});
