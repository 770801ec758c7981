import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { verdictOf } from '../outcome/readers';
import { contentText, type Fields, fieldsOf, numberOf } from '../reading/fields';
import type { TraceSource } from '../reading/source';
import { messagesIn } from './anyMessages';
import { checkDocumentEnd } from './elements';
import type { StepBody, StepHint, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * The readable tree of GEPA: each iteration has a `meta.json`, the texts of its components, scores by example, and outputs
 * and trajectories one file each. Every example that was scored is a run of that candidate.
 */
export const gepa: TraceFormat = {
  id: 'gepa',
  title: 'GEPA iteration',
  looksFor: 'a meta.json with iteration_id, trace_i and accepted, beside val_scores.json and trajectories',
  sniff: ({ members }) =>
    'iteration_id' in members && 'accepted' in members && ('trace_i' in members || 'candidate_idx' in members)
      ? 0.97
      : 0,
  async read(source, head, sink) {
    const { members } = head;
    const iteration = String(members.iteration_id ?? '');
    const files = await treeFiles(dirname(source.file));
    const scores = await scoresOf(source, files);
    const examples = new Set([
      ...Object.keys(scores),
      ...files.filter((name) => /^(trajectories|outputs)\//.test(name)).map((name) => basename(name, '.json')),
    ]);
    const partFiles = files.map((name) => join(dirname(source.file), name));
    let first = true;
    for (const example of [...examples].sort()) {
      const run = sink.run(example);
      const reward = numberOf(scores[example]) ?? numberOf(fieldsOf(scores[example]).score);
      run.facts({
        task: example,
        sessionId: `${iteration}/${example}`,
        candidate: iteration,
        exitStatus: members.accepted === false ? 'candidate rejected' : null,
        outcome: reward === null ? null : { ...verdictOf(reward), source: 'val_scores.json' },
        ...(first ? { partFiles } : {}),
      });
      first = false;
      await exampleSteps(source, files, example, run);
    }
    checkDocumentEnd(head, sink);
    if (examples.size === 0) sink.nothing('a GEPA iteration without scored examples');
  },
  stepOf: (records, hint) => gepaStep(records[0], hint),
};

async function treeFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of ['trajectories', 'outputs', 'components']) {
    const names = (await readdir(join(folder, part)).catch(() => []))
      .filter((name) => /\.(json|txt)$/.test(name))
      .sort();
    found.push(...names.map((name) => `${part}/${name}`));
  }
  const beside = await readdir(folder).catch(() => []);
  return [...found, ...beside.filter((name) => name === 'val_scores.json' || name === 'trace.json')];
}

async function scoresOf(source: TraceSource, files: readonly string[]): Promise<Fields> {
  if (!files.includes('val_scores.json')) return {};
  const value = (await source.value(await source.whole('val_scores.json')))?.value;
  const inner = fieldsOf(value);
  return 'scores' in inner ? fieldsOf(inner.scores) : inner;
}

async function exampleSteps(
  source: TraceSource,
  files: readonly string[],
  example: string,
  run: TraceSink,
): Promise<void> {
  const writer = new RunWriter(run, true);
  for (const name of files.filter((file) => file.startsWith('components/') && file.endsWith('.txt'))) {
    const range = await source.whole(name);
    const hint = ['component', basename(name, '.txt')];
    writer.add(gepaStep(await source.text(range), hint), range, hint);
  }
  for (const folder of ['trajectories', 'outputs']) {
    const name = `${folder}/${example}.json`;
    if (!files.includes(name)) continue;
    if (folder === 'outputs' && files.includes(`trajectories/${example}.json`)) continue;
    const range = await source.whole(name);
    const value = (await source.value(range))?.value;
    const bodies = messagesIn(value, 'assistant');
    if (bodies.length === 0) writer.add(gepaStep(value, ['whole', 0]), range, ['whole', 0]);
    for (const [index, body] of bodies.entries()) writer.add(body, range, ['message', index]);
  }
  writer.finish(false, true);
}

function gepaStep(record: unknown, hint: StepHint): StepBody {
  const [what, detail] = Array.isArray(hint) ? hint : ['whole'];
  if (what === 'component') return textBody('system', `${String(detail)}\n${contentText(record)}`);
  if (what === 'message') return messagesIn(record, 'assistant')[Number(detail)] ?? eventBody('note', '');
  return textBody('agent', typeof record === 'string' ? record : JSON.stringify(record ?? ''));
}
