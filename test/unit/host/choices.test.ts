import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../../src/host/services';
import { pickStep } from '../../../src/host/traces/pickStep';
import { pickRun } from '../../../src/host/traces/runPick';
import { resultsAction } from '../../../src/host/validation/resultsActions';
import { runOf } from './fakes';

interface Pick {
  label: string;
  description?: string;
  format?: string;
}
interface Input {
  value?: string;
  validateInput(text: string): string | undefined;
}

const editor = vi.hoisted(() => ({
  picks: [] as Pick[],
  options: {} as { title?: string; placeHolder?: string },
  choose: (_: Pick[]): Pick | undefined => undefined,
  type: (_: Input): string | undefined => undefined,
  target: undefined as string | undefined,
  commands: [] as unknown[][],
  written: [] as [string, string][],
  opened: [] as unknown[],
  asked: {} as { defaultUri?: string },
  workspace: { isTrusted: true, workspaceFolders: [{ uri: '/h' }] as { uri: string }[] | undefined },
}));
vi.mock('vscode', () => ({
  window: {
    showQuickPick: async (picks: Pick[], options: object) => {
      editor.picks = [...picks];
      editor.options = options;
      return editor.choose([...picks]);
    },
    showInputBox: async (input: Input) => editor.type(input),
    showSaveDialog: async (options: { defaultUri?: string }) => {
      editor.asked = options;
      return editor.target;
    },
    showTextDocument: async (document: unknown) => editor.opened.push(document),
    showWarningMessage: async () => undefined,
    showInformationMessage: async () => undefined,
  },
  workspace: Object.assign(editor.workspace, {
    openTextDocument: async (document: unknown) => document,
    fs: {
      writeFile: async (uri: string, data: Uint8Array) => editor.written.push([uri, Buffer.from(data).toString()]),
    },
  }),
  commands: { executeCommand: async (...args: unknown[]) => editor.commands.push(args) },
  Uri: { joinPath: (...parts: string[]) => parts.join('/') },
}));

const calls: unknown[][] = [];
const note =
  (name: string, answer?: unknown) =>
  async (...args: unknown[]) => {
    calls.push([name, ...args]);
    return answer;
  };
const services = {
  traces: { run: (id: string) => (id === 'known' ? runOf({ id, trial: 'run 7' }) : null) },
  validation: { override: note('override'), extend: note('extend'), report: note('report', 'text') },
} as unknown as Services;

beforeEach(() => {
  calls.length = 0;
  Object.assign(editor, { commands: [], written: [], opened: [], asked: {}, target: undefined });
  editor.choose = () => undefined;
  editor.type = () => undefined;
  editor.workspace.isTrusted = true;
});

describe('choosing a step', () => {
  const step = (run: string, n: number, failing: boolean) =>
    ({ run, step: n, failing, task: n === 2 ? null : 't', kind: 'literal' }) as const;
  const steps = [step('known', 1, false), step('gone', 2, true), step('known', 3, true)];

  it('offers failing ones first, in the order they came, and opens the one that is chosen', async () => {
    editor.choose = (picks) => picks[1];
    await pickStep(services, steps, 'Steps');
    expect(editor.picks.map((pick) => pick.label)).toEqual([
      '$(error) no task, step 2',
      '$(error) t, step 3',
      '$(pass) t, step 1',
    ]);
    expect(editor.picks.map((pick) => pick.description)).toEqual(['', 'run 7, passed', 'run 7, passed']);
    expect(editor.commands).toEqual([['harnessmith.openTrace', { run: 'known', step: 3 }]]);
  });

  it('opens nothing when nothing was chosen, and says when there is nothing', async () => {
    await pickStep(services, [], 'Steps');
    expect([editor.commands, editor.options.placeHolder]).toEqual([[], 'No step leads here']);
  });
});

describe('choosing a run', () => {
  it('names the outcome and the facts, keeps the order, and gives the run', async () => {
    const runs = [runOf({ task: null }), runOf({ id: 'b', outcome: { ...runOf().outcome, verdict: 'missing' } })];
    editor.choose = (picks) => picks[1];
    expect(await pickRun(runs, 'Compare')).toBe(runs[1]);
    expect(editor.options.title).toBe('Compare (2 traces)');
    expect(editor.picks.map((pick) => pick.label)).toEqual(['$(pass) run 1', '$(circle-slash) fix-date-parser']);
    expect(editor.picks[1]!.description).toBe('run 1  no verdict  31 steps  $0.12  38 s');
    editor.choose = () => undefined;
    expect(await pickRun(runs.slice(1), 'Compare')).toBeNull();
    expect(editor.options.title).toBe('Compare (1 trace)');
  });
});

describe('what a person asks for on the results page', () => {
  it('overrules with a reason only', async () => {
    editor.type = (input) => {
      expect(input.validateInput(' \t')).toContain('A reason is needed');
      expect(input.validateInput('flaky task')).toBeUndefined();
      return 'flaky task';
    };
    await resultsAction(services, 'r-1', { type: 'override' });
    expect(calls).toEqual([['override', 'r-1', 'flaky task']]);
    editor.type = () => undefined;
    await resultsAction(services, 'r-1', { type: 'override' });
    expect(calls).toHaveLength(1);
  });

  it('runs a whole number of more trials, and none in a folder that is not trusted', async () => {
    editor.type = ({ value, validateInput }) => {
      for (const wrong of ['0', '-1', '1.5', '1000', '', 'five', '0x5']) expect(validateInput(wrong)).toBeDefined();
      for (const right of ['1', ' 12 ', '999', value!]) expect(validateInput(right)).toBeUndefined();
      return ' 12 ';
    };
    await resultsAction(services, 'r-1', { type: 'runMore' });
    expect(calls).toEqual([['extend', 'r-1', 12]]);
    expect(editor.commands).toEqual([['harnessmith.resumeRun', 'r-1']]);
    editor.workspace.isTrusted = false;
    await resultsAction(services, 'r-1', { type: 'runMore' });
    expect(calls).toHaveLength(1);
  });

  it('compares with another run in a document, and writes no file', async () => {
    await resultsAction(services, 'r-1', { type: 'compareWith', run: 'r-0' });
    expect(calls).toEqual([['report', 'r-1', 'r-0', 'md']]);
    expect(editor.opened).toEqual([{ content: 'text', language: 'markdown' }]);
    expect(editor.written).toEqual([]);
  });

  it('exports where the person says, under a name that fits the format', async () => {
    editor.choose = (picks) => picks.find((pick) => pick.format === 'junit');
    editor.target = '/out/x.xml';
    await resultsAction(services, 'r-1', { type: 'export' });
    expect(editor.asked.defaultUri).toBe('/h/r-1.xml');
    expect([editor.written, editor.opened]).toEqual([[['/out/x.xml', 'text']], ['/out/x.xml']]);
    editor.choose = (picks) => picks.find((pick) => pick.format === 'md');
    editor.target = undefined;
    await resultsAction(services, 'r-1', { type: 'export' });
    expect(editor.asked.defaultUri).toBe('/h/r-1.md');
    expect(calls).toHaveLength(1);
  });
});
