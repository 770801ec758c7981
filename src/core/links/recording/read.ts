import { stat } from 'node:fs/promises';
import { InputError } from '../../errors';
import { readTextIfPresent } from '../../store';
import {
  type RecordedFunction,
  type RecordedWindow,
  type Recording,
  type RecordingHead,
  RecordingLine,
  recordingFile,
} from './model';
import { parseLines } from './parseLines';

const LARGEST = 256 * 1024 * 1024;

/**
 * The recording beside a trace; null when there is none.
 * @throws InputError when the file is none, or too large.
 */
export async function readRecording(trace: string): Promise<Recording | null> {
  const file = recordingFile(trace);
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if (found.size > LARGEST) throw unreadable(file, 'it is over 256 MB');
  const text = await readTextIfPresent(file);
  if (text === undefined) return null;
  let head: RecordingHead | undefined;
  const functions = new Map<number, RecordedFunction>();
  const windows: RecordedWindow[] = [];
  for (const line of parseLines(text, RecordingLine)) {
    if (line.kind === 'recording') head ??= line;
    else if (line.kind === 'function') functions.set(line.id, line);
    else windows.push(line);
  }
  if (head === undefined) throw unreadable(file, 'it has no line of kind "recording"');
  return { head, functions, windows };
}

function unreadable(file: string, why: string): InputError {
  return new InputError(`${file} cannot be read as a recording: ${why}.`, {
    code: 'recording-unreadable',
    nextStep: 'Record the run again, or remove the file.',
  });
}
