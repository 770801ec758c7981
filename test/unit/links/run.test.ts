import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkOneStep, linkRun, siteTouches } from '../../../src/core/links';
import { openTrace } from '../../../src/core/traces';
import { fixtures, importOne, temporaryFolders, writeFiles } from '../traces/helpers';
import { Harness, run } from './helpers';

const folder = temporaryFolders();
const LIMIT = 'The step limit was reached before the task was finished.';

function harness(): Harness {
  return new Harness()
    .node('method', 'src/agent.py', 'get_observation', 100, 110, { qualname: 'Agent.get_observation' })
    .literal(
      'config/a.yaml',
      'prompt:config/a.yaml',
      3,
      8,
      '<returncode>',
      null,
      '</returncode>\n<output>\n',
      null,
      '</output>',
    )
    .node('prompt', 'config/a.yaml', 'observation_template', 3, 8, { id: 'prompt:config/a.yaml' })
    .edge('uses-prompt', 'src/agent.py#Agent.get_observation', 'prompt:config/a.yaml')
    .literal(
      'config/b.yaml',
      'prompt:config/b.yaml',
      5,
      9,
      '<returncode>',
      null,
      '</returncode>\n<output>\n',
      null,
      '</output>',
    )
    .literal(
      'config/b.yaml',
      'prompt:config/b.yaml',
      1,
      1,
      'You are a helpful assistant that can interact with a computer.',
    );
}

describe('links of a run', () => {
  it('come in the order of the steps, with results linked through their call', async () => {
    const reader = await openTrace(await importOne(join(fixtures, 'mini/calc-1.json')));
    const index = harness().node('tool', 'src/tools.py', 'bash', 1, 9).index();
    const progress: number[] = [];
    const links = await linkRun(index, reader, { progress: (report) => progress.push(report.done ?? -1) });
    expect(progress).toEqual([0]);
    expect(links.map((link) => link.step)).toEqual(links.map((link) => link.step).toSorted((a, b) => a - b));
    expect(links.some((link) => link.step === 3 && link.kind === 'tool')).toBe(true);
    // The system prompt stands in b.yaml only, so of two equal templates that of b.yaml is the likelier one.
    expect(links.find((link) => link.step === 4 && link.kind === 'literal')).toMatchObject({
      file: 'config/b.yaml',
      start: 5,
    });
    expect(links.some((link) => link.step === 4 && link.kind === 'tool')).toBe(true);
    expect(await linkOneStep(index, reader, 4)).toEqual(links.filter((link) => link.step === 4));
    await reader.close();
  });

  it('stop when cancelled', async () => {
    const reader = await openTrace(await importOne(join(fixtures, 'mini/calc-1.json')));
    await expect(linkRun(harness().index(), reader, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await reader.close();
  });

  it('of a failing and a passing run lead back from the site', async () => {
    const place = await folder();
    const message = (id: string, text: string) => ({
      trajectory_format: 'mini-swe-agent-1',
      instance_id: id,
      info: { exit_status: 'Submitted' },
      messages: [
        { role: 'system', content: 'x' },
        { role: 'user', content: text },
        { role: 'assistant', content: 'y' },
      ],
    });
    await writeFiles(place, {
      'a/a.traj.json': message('a', LIMIT),
      'a/report.json': { resolved: false },
      'b/b.traj.json': message('b', LIMIT),
      'b/report.json': { resolved: true },
    });
    const index = new Harness()
      .node('function', 'src/limits.py', 'check', 1, 9)
      .literal('src/limits.py', 'src/limits.py#check', 4, 4, LIMIT)
      .index();
    const runs = [];
    for (const name of ['a/a.traj.json', 'b/b.traj.json']) {
      const trace = await importOne(join(place, name));
      const reader = await openTrace(trace);
      runs.push({ run: trace, links: await linkRun(index, reader) });
      await reader.close();
    }
    const [touches] = siteTouches(runs);
    expect(touches).toMatchObject({ file: 'src/limits.py', symbol: 'check', start: 4, failingRuns: 1, passingRuns: 1 });
    expect(touches?.steps.map(({ task, step, failing }) => ({ task, step, failing }))).toEqual([
      { task: 'a', step: 2, failing: true },
      { task: 'b', step: 2, failing: false },
    ]);
  });

  it('that are only possible do not touch a site', () => {
    const link = {
      step: 1,
      kind: 'lifecycle' as const,
      file: 'a',
      symbol: '',
      start: 1,
      end: 2,
      unit: null,
      confidence: 0.3,
      reason: 'weak',
    };
    expect(siteTouches([{ run: run(), links: [link] }])).toEqual([]);
  });
});
