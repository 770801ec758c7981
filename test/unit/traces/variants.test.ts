import { describe, expect, it } from 'vitest';
import { importTraces, openTrace, type TraceRun } from '../../../src/core/traces';
import { temporaryFolders, writeFiles } from './helpers';
import { rowOf } from './rows';
import { benchmarks } from './samples/benchmarks';
import { commandLine } from './samples/commandLine';
import { editors } from './samples/editors';
import { evaluations } from './samples/evaluations';
import type { Sample } from './samples/sample';
import { services } from './samples/services';
import { tracing } from './samples/tracing';

const folder = temporaryFolders();
const samples: Sample[] = [...commandLine, ...editors, ...benchmarks, ...evaluations, ...services, ...tracing];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The records of a sample that is written as lines of JSON; null for documents and other text. */
function linesOf({ content }: Sample): string[] | null {
  if (typeof content !== 'string') return null;
  const lines = content.split('\n').filter((line) => line !== '');
  return lines.length > 1 && lines.every(isJson) ? lines : null;
}

/** What the steps of a sample show, and what is told of each of its runs, when it is written this way. */
async function shown(sample: Sample, content: unknown) {
  const place = await folder();
  await writeFiles(place, { [sample.name]: content, ...sample.beside });
  const { runs } = await importTraces([place]);
  const rows: string[][] = [];
  const raws: string[][] = [];
  for (const run of runs) {
    const reader = await openTrace(run);
    const numbers = Array.from({ length: reader.stepCount }, (_, index) => index + 1);
    const steps = [];
    const texts = [];
    for (const n of numbers) {
      steps.push(rowOf(await reader.step(n)));
      texts.push(await reader.raw(n));
    }
    await reader.close();
    rows.push(steps);
    raws.push(texts);
  }
  return { runs, rows, raws };
}

/** Key strokes of a recording are named after their place, which moves with the line ends. */
const withoutPlaces = (rows: string[][]) => rows.map((steps) => steps.map((row) => row.replace(/input-\d+/g, 'input')));

/** What a list shows of a run, without the place of its file and without the words about how it is written. */
function facts({ format, sessionId, task, model, tokens, costUsd, counts, outcome, endsTruncated }: TraceRun) {
  return { format, sessionId, task, model, tokens, costUsd, counts, outcome, endsTruncated };
}

const named = samples.map((sample): [string, Sample] => [`${sample.format}: ${sample.name}`, sample]);
const inLines = named.filter(([, sample]) => linesOf(sample) !== null);
const documents = named.filter(([, sample]) => typeof sample.content !== 'string' && !Array.isArray(sample.content));

describe.each(inLines)('%s, in lines', (_, sample) => {
  const lines = linesOf(sample) ?? [];

  it.each<[string, string]>([
    ['CRLF', `${lines.join('\r\n')}\r\n`],
    ['mixed line ends', lines.map((line, at) => `${line}${['\n', '\r\n', ' \r\n'][at % 3]}`).join('')],
    ['a byte order mark', `\ufeff${lines.join('\n')}\n`],
    ['blank lines between', `${lines.join('\n\n \n\r\n')}\n\n`],
    ['no end of the last line', lines.join('\n')],
  ])('%s change nothing', async (_name, content) => {
    const plain = await shown(sample, `${lines.join('\n')}\n`);
    const written = await shown(sample, content);
    expect(withoutPlaces(written.rows)).toEqual(withoutPlaces(plain.rows));
    // The line ends between the records of one step are those of the file.
    expect(written.raws.flat().map((text) => text.replace(/ ?\r?$/gm, ''))).toEqual(plain.raws.flat());
    expect(written.runs.map(facts)).toEqual(plain.runs.map(facts));
  });

  // Messages without any mark are told by how many of the first records are messages, and these are few.
  it.skipIf(sample.format === 'chat')(
    'records that are none, in the middle, add no turn, call or message and lose none',
    async () => {
      const plain = await shown(sample, `${lines.join('\n')}\n`);
      const [first = '', ...rest] = lines;
      for (const stray of ['null', '42', '"text"', '[]', '{}', '{"broken": ']) {
        const { runs } = await shown(sample, `${[first, stray, ...rest].join('\n')}\n`);
        const seen = runs.map(({ counts }) => ({ ...counts, steps: 0 }));
        expect([stray, seen]).toEqual([stray, plain.runs.map(({ counts }) => ({ ...counts, steps: 0 }))]);
      }
    },
  );

  it('cut inside the last line: all before it is shown, and a warning tells of the cut', async () => {
    const before = await shown(sample, `${lines.slice(0, -1).join('\n')}\n`);
    const last = lines.at(-1) ?? '';
    const cut = await shown(sample, `${lines.slice(0, -1).join('\n')}\n${last.slice(0, last.length - 2)}`);
    expect(cut.rows).toEqual(before.rows);
    if (cut.runs.length > 0) expect(cut.runs.flatMap(({ warnings }) => warnings).join('\n')).toContain('last line');
  });
});

describe.each(documents)('%s, as a document', (_, sample) => {
  const text = JSON.stringify(sample.content);

  it.each<[string, string]>([
    ['indented by tabs', JSON.stringify(sample.content, null, '\t')],
    ['indented, with CRLF', JSON.stringify(sample.content, null, 2).replaceAll('\n', '\r\n')],
    ['a byte order mark and blank lines around', `\ufeff\n\n${text}\n\n`],
    [
      'characters as escapes',
      text.replace(/[^\u0020-\u007e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
  ])('%s: the same steps', async (_name, content) => {
    const plain = await shown(sample, text);
    const written = await shown(sample, content);
    expect(written.rows).toEqual(plain.rows);
    expect(written.runs.map(facts)).toEqual(plain.runs.map(facts));
    expect(
      written.raws
        .flat()
        .filter(isJson)
        .map((raw) => JSON.parse(raw)),
    ).toEqual(
      plain.raws
        .flat()
        .filter(isJson)
        .map((raw) => JSON.parse(raw)),
    );
  });

  // An episode is several files, and a request that is no JSON as a whole is passed over.
  it.skipIf(sample.format === 'episodes')('with other text after its end: read, and told', async () => {
    const plain = await shown(sample, text);
    const written = await shown(sample, `${text}\nDone in 3 s.\n`);
    expect(written.rows).toEqual(plain.rows);
    expect(written.runs.flatMap(({ warnings }) => warnings).join('\n')).toMatch(/follows the end of the document/);
  });
});

it('the samples hold both forms', () => {
  expect([inLines.length > 8, documents.length > 8]).toEqual([true, true]);
});
