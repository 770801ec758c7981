import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkHandbook, unitAt } from '../../../src/core/handbook';
import { locate } from '../../../src/core/locate';
import { type BuiltHarness, built, placesOf, unitsOf } from '../../fixtureHarness';
import { realHarness } from '../../realHarness';

/** Indexes from nothing, so that what is tested is what the code does now. */
async function fresh(name: Parameters<typeof realHarness>[0]): Promise<BuiltHarness> {
  const folder = await realHarness(name);
  await rm(join(folder, '.harnessmith'), { recursive: true, force: true });
  return built(folder);
}

/** Steps of the loop as kind and first line, in run order. */
function steps({ map }: BuiltHarness, file: string): [string, number][] {
  return (map.steps ?? [])
    .filter((step) => step.phase === 'loop' && step.site.file === file)
    .map((step) => [step.kind, step.site.start]);
}

describe('mini-swe-agent 2.4.6', () => {
  const agent = 'minisweagent/agents/default.py';
  let mini: BuiltHarness;
  beforeAll(async () => {
    mini = await fresh('mini-swe-agent');
  }, 300_000);

  it('has one agent loop, DefaultAgent.run', () => {
    expect(mini.map.loops).toEqual([`unit:main_loop:${agent}#DefaultAgent.run`]);
    expect(unitsOf(mini.map, 'main_loop')[0]?.sites[0]).toMatchObject({ start: 88, end: 124 });
  });

  it('calls the model in LitellmModel._query, and the agent does so at line 149', () => {
    expect(placesOf(mini.map, 'model_call')).toContain('minisweagent/models/litellm_model.py#LitellmModel._query');
    expect(unitAt(mini.map, 'minisweagent/models/litellm_model.py', 66)?.kind).toBe('model_call');
    expect(unitAt(mini.map, agent, 149)?.kind).toBe('model_call');
  });

  it('has its steps in run order', () => {
    expect(steps(mini, agent)).toEqual(
      expect.arrayContaining([
        ['limits', 132],
        ['model_call', 149],
        ['accounting', 150],
        ['tool_dispatch', 156],
        ['observation', 157],
        ['format_error', 100],
        ['termination', 122],
      ]),
    );
    const order = steps(mini, agent).map(([, line]) => line);
    for (const [before, after] of [
      [132, 149],
      [149, 156],
      [156, 157],
      [157, 122],
    ] as const) {
      expect(order.indexOf(before)).toBeLessThan(order.indexOf(after));
    }
  });

  it('has its prompts in YAML, with exact lines', () => {
    const file = 'minisweagent/config/mini.yaml';
    const prompts = mini.graph.inFile(file).filter((node) => node.kind === 'prompt');
    expect(prompts.map((node) => [node.qualname, node.start, node.end])).toEqual([
      ['agent.system_template', 2, 3],
      ['agent.instance_template', 4, 100],
      ['model.observation_template', 112, 128],
      ['model.format_error_template', 129, 149],
    ]);
    expect(unitAt(mini.map, file, 124)?.kind).toBe('truncation');
  });

  it('keeps the conversation and the counters as registers', () => {
    const names = mini.map.registers
      .filter((register) => register.owner === 'DefaultAgent')
      .map((register) => register.name);
    expect(names).toEqual(expect.arrayContaining(['messages', 'cost', 'n_calls', 'n_consecutive_format_errors']));
  });

  it('passes its own check', async () => {
    expect((await checkHandbook(mini.harness, mini.map)).problems).toEqual([]);
  });

  it('answers where the cost limit is checked, and what its value is', async () => {
    const answer = await locate('stop the run when the cost limit is exceeded', { ...mini, limit: 5 });
    expect(answer.sites.map((site) => `${site.file}#${site.symbol}`)).toContain(`${agent}#DefaultAgent.query`);
    expect(answer.sites.every((site) => site.state === 'fresh')).toBe(true);
    expect(answer.premises).toEqual(
      expect.arrayContaining([expect.objectContaining({ mention: 'cost_limit', value: '3.0', file: agent, line: 28 })]),
    );
  });
});

describe('pi-coding-agent 0.73.1', () => {
  const core = 'node_modules/@mariozechner/pi-agent-core/dist/agent-loop.js';
  let pi: BuiltHarness;
  beforeAll(async () => {
    pi = await fresh('pi-coding-agent');
  }, 600_000);

  it('finds the loop in the package of its scope that holds it', () => {
    expect(pi.map.loops[0]).toBe(`unit:main_loop:${core}#runLoop`);
    expect(pi.map.units.find((unit) => unit.id === pi.map.loops[0])?.sites[0]).toMatchObject({
      symbol: 'runLoop',
      start: 77,
      end: 146,
    });
    expect(pi.map.loops).toHaveLength(1);
  });

  it('finds the model call inside streamAssistantResponse', () => {
    expect(unitAt(pi.map, core, 168)).toMatchObject({ kind: 'model_call', stage: 'loop' });
    expect(placesOf(pi.map, 'model_call')).toContain(`${core}#streamAssistantResponse`);
  });

  it('has its steps in run order', () => {
    expect(steps(pi, core)).toEqual(
      expect.arrayContaining([
        ['model_call', 151],
        ['termination', 105],
        ['response_parse', 111],
        ['tool_dispatch', 233],
        ['observation', 118],
        ['termination', 124],
      ]),
    );
  });

  it('leads from the program to the loop', () => {
    const way = pi.map.units
      .filter((unit) => unit.title.startsWith('On the way to the loop'))
      .flatMap((unit) => unit.sites.map((site) => site.symbol));
    expect(way).toEqual(expect.arrayContaining(['InteractiveMode.run', 'Agent.prompt', 'runAgentLoop']));
  });

  it('finds tools, truncation, compaction and retry', () => {
    expect(placesOf(pi.map, 'tool_shell')).toContain('dist/core/tools/bash.js#createBashToolDefinition');
    expect(placesOf(pi.map, 'truncation')).toContain('dist/core/tools/truncate.js#truncateTail');
    expect(placesOf(pi.map, 'compaction')).toContain('dist/core/compaction/compaction.js#compact');
    expect(placesOf(pi.map, 'retry')).toContain('dist/core/agent-session.js#AgentSession._handleRetryableError');
  });

  it('says that a package of its scope is missing', () => {
    expect(pi.map.notFound.join('\n')).toContain('@mariozechner/pi-tui');
    expect(pi.map.notFound.join('\n')).not.toContain('pi-agent-core:');
  });
});
