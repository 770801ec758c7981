import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore from 'ignore';
import { z } from 'zod';
import { EnvironmentError, InputError, messageOf } from '../errors';
import { type Harness, realInside, type SuiteConfig } from '../harness';
import { isMissing, readTextIfPresent, storeFolderName } from '../store';
import { factsOfTask } from './taskFacts';

/** The suites of `harness.json`, by name. */
export function suiteNames(harness: Pick<Harness, 'config'>): string[] {
  return Object.keys(harness.config.suites);
}

/**
 * The suite with this name, or the only one when no name is given.
 * @throws InputError naming the suites there are.
 */
export function findSuite(harness: Harness, name?: string): { name: string; suite: SuiteConfig } {
  const known = suiteNames(harness);
  const wanted = name ?? (known.length === 1 ? known[0] : undefined);
  const suite = wanted !== undefined && Object.hasOwn(harness.config.suites, wanted) && harness.config.suites[wanted];
  if (wanted !== undefined && suite) return { name: wanted, suite };
  const where = harness.configFile ?? '.harnessmith/harness.json';
  if (known.length === 0) {
    throw new InputError(`${where} has no suites.`, {
      code: 'suite-missing',
      nextStep: 'Add a suite with its tasks and the command of one trial under "suites".',
    });
  }
  const list = known.map((each) => `"${each}"`).join(', ');
  throw new InputError(
    wanted === undefined ? `${where} has ${known.length} suites: ${list}.` : `${where} has no suite "${wanted}".`,
    { code: wanted === undefined ? 'suite-unclear' : 'suite-unknown', nextStep: `Name one of ${list}.` },
  );
}

/**
 * Task names of a suite, sorted when they come from a folder.
 * @throws InputError when the folder is missing or outside, when there are no tasks, or when a task is named twice.
 */
export async function listTasks(root: string, suiteName: string, suite: SuiteConfig): Promise<string[]> {
  const tasks = await tasksIn(root, suiteName, suite.tasks);
  const twice = tasks.find((task, index) => tasks.indexOf(task) !== index);
  if (twice !== undefined) {
    throw new InputError(`Suite "${suiteName}" names the task "${twice}" twice.`, {
      code: 'task-twice',
      nextStep: 'Remove one; repeats are set with "trials".',
    });
  }
  return [...tasks];
}

/** What an edit of the harness must not repeat or touch. */
export interface TaskTexts {
  names: string[];
  instructions: string[];
  files: string[];
  answers: string[];
  /** Folders of tasks, as harness.json names them. */
  folders: string[];
}

/**
 * Names of the tasks of all suites, and of those that have a folder the `instruction.md`, the names of their files and the
 * values their verifiers look for. @throws what `listTasks` throws.
 */
export async function taskTexts(harness: Pick<Harness, 'root' | 'config'>): Promise<TaskTexts> {
  const names = new Set<string>();
  const folders = new Set<string>();
  const instructions: string[] = [];
  const [files, answers] = [new Set<string>(), new Set<string>()];
  for (const [suiteName, suite] of Object.entries(harness.config.suites)) {
    for (const task of await listTasks(harness.root, suiteName, suite)) {
      names.add(task);
      if (!('folder' in suite.tasks)) continue;
      const file = await realInside(harness.root, join(suite.tasks.folder, task, 'instruction.md'));
      const text = await readTextIfPresent(file);
      if (text !== undefined) instructions.push(text);
      const facts = await factsOfTask(harness, join(suite.tasks.folder, task));
      for (const one of facts.files) files.add(one);
      for (const one of facts.answers) answers.add(one);
      folders.add(suite.tasks.folder);
    }
  }
  return { names: [...names], instructions, files: [...files], answers: [...answers], folders: [...folders] };
}

async function tasksIn(root: string, suiteName: string, tasks: SuiteConfig['tasks']): Promise<string[]> {
  if (Array.isArray(tasks)) return tasks;
  if ('folder' in tasks) return await foldersIn(root, suiteName, tasks.folder);
  if ('files' in tasks) return await filesLike(root, suiteName, tasks.files);
  return await linesOf(root, suiteName, tasks.dataset, tasks.id);
}

/** Paths of the files of the repository that fit a pattern, sorted. */
async function filesLike(root: string, suiteName: string, pattern: string): Promise<string[]> {
  const fits = ignore().add(pattern);
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      if (entry.name === '.git' || entry.name === 'node_modules' || entry.name === storeFolderName) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile() && fits.ignores(path)) found.push(path);
    }
  };
  await visit('');
  if (found.length > 0) return found.sort();
  throw noTasks(
    suiteName,
    `No file fits the pattern ${pattern}`,
    'Correct "tasks.files" of the suite in harness.json.',
  );
}

/** Names of the tasks of a JSON Lines file, in its order. */
async function linesOf(root: string, suiteName: string, file: string, key: string): Promise<string[]> {
  const text = await readTextIfPresent(await realInside(root, file));
  const where = 'Correct "tasks.dataset" of the suite in harness.json.';
  if (text === undefined) throw noTasks(suiteName, `The dataset ${file} does not exist`, where);
  const tasks = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = z.looseObject({ [key]: z.union([z.string().min(1), z.number()]) }).safeParse(jsonOf(line));
    if (parsed.success) return [String(parsed.data[key])];
    throw new InputError(
      `Line ${index + 1} of ${file} has no "${key}", so its task of suite "${suiteName}" has no name.`,
      {
        code: 'dataset-wrong',
        nextStep: 'Correct the line, or name the key with "id".',
      },
    );
  });
  if (tasks.length > 0) return tasks;
  throw noTasks(suiteName, `The dataset ${file} has no lines`, where);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // reported with the number of the line
  }
}

function noTasks(suiteName: string, what: string, nextStep: string): InputError {
  return new InputError(`${what}, so suite "${suiteName}" has no tasks.`, { code: 'tasks-none', nextStep });
}

async function foldersIn(root: string, suiteName: string, folder: string): Promise<string[]> {
  const full = await realInside(root, folder);
  try {
    const found = await readdir(full, { withFileTypes: true });
    const tasks = found
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
    if (tasks.length > 0) return tasks.sort();
  } catch (error) {
    const gone = isMissing(error);
    const details = {
      code: 'tasks-unreadable',
      nextStep: 'Correct "tasks.folder" of the suite in harness.json.',
      cause: error,
    };
    if (gone) throw new InputError(`The task folder ${folder} of suite "${suiteName}" does not exist.`, details);
    throw new EnvironmentError(`The task folder ${folder} cannot be read: ${messageOf(error)}`, details);
  }
  throw new InputError(`The task folder ${folder} of suite "${suiteName}" has no sub-folders, so there are no tasks.`, {
    code: 'tasks-none',
    nextStep: 'Make one sub-folder for each task, or list the task names in "tasks".',
  });
}
