import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sweBenchResults } from '../results/sweBench';
import type { ValidationEngine } from './engine';
import { outcomeFrom } from './foundResults';
import { filled, trialEnvironment } from './placeholders';
import { compareVersions, toolCommand } from './tool';

/**
 * SWE-bench: grades one instance of the predictions that the suite names in its `arguments`; `target` is the dataset. Up to
 * version 4 it is a Python module with other names of the options.
 */
export const sweBenchEngine: ValidationEngine = {
  id: 'swe-bench',
  tool: {
    program: ['swebench'],
    versionCommand: (program) => [...startOf(program), '-c', 'import swebench; print(swebench.__version__)'],
    knows: (version) => /^[2-5]\./.test(version ?? ''),
    known: '2 to 5',
    install: 'pip install swebench',
  },

  plan(request) {
    const { suite, task, out, version } = request;
    const dataset = filled([suite.target ?? ''], request);
    const isModern = compareVersions(version ?? '5', '5') >= 0;
    const modern = ['eval', ...dataset, '--instance', task, '--run-id', 'trial', '--workers', '1', '--report-dir', out];
    const legacy = ['--dataset_name', ...dataset, '--instance_ids', task, '--run_id', 'trial', '--max_workers', '1'];
    return {
      argv: toolCommand(
        sweBenchEngine,
        request,
        isModern ? modern : [...legacy, '--report_dir', out],
        isModern ? ['swebench'] : ['python', '-m', 'swebench.harness.run_evaluation'],
      ),
      cwd: out,
      environment: trialEnvironment(request),
    };
  },

  async parse(end, request) {
    const files = await readdir(request.out).catch(() => [] as string[]);
    const summary = files.find((file) => file.endsWith('.trial.json'));
    if (summary !== undefined) return outcomeFrom(sweBenchResults, summary, end, request);
    const models = await readdir(join(request.out, 'logs/run_evaluation/trial')).catch(() => [] as string[]);
    return outcomeFrom(sweBenchResults, `logs/run_evaluation/trial/${models[0] ?? ''}`, end, request);
  },
};

/** The Python that the program belongs to: itself, or the one that its starter (such as `uv run`) finds. */
function startOf(program: readonly string[]): string[] {
  const python = program.findIndex((part) => /(^|[/\\])python[\d.]*$/.test(part));
  if (python >= 0) return program.slice(0, python + 1);
  return [...program.slice(0, -1), 'python'];
}
