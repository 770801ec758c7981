import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { HarnessmithError, messageOf } from '../../core/errors';
import { git, gitFacts, type Harness, openHarness } from '../../core/harness';
import { createModelClient, ModelKeyMissingError } from '../../core/models';
import { openDatabase, storePaths } from '../../core/store';
import { type Answer, answerWith, newCommand } from '../command';

export const DoctorDocument = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['ok', 'warning', 'problem']),
      detail: z.string(),
      /** The command or step that fixes it. */
      remedy: z.string().optional(),
    }),
  ),
});
type Check = z.infer<typeof DoctorDocument>['checks'][number];

/** Oldest Node with an unflagged `node:sqlite`. */
const sqliteNode = [22, 13];

export function doctor() {
  const command = newCommand('doctor', 'say what is installed, what is missing, and what fixes it');
  answerWith(command, async (context): Promise<Answer<z.infer<typeof DoctorDocument>>> => {
    const checks = [
      checkNode(),
      await checkDatabase(),
      await checkGit(context.folder),
      ...(await checkHarness(context.folder)),
    ];
    const text = checks
      .map(
        (check) => `${marks[check.state]} ${check.name}: ${check.detail}${check.remedy ? `\n    ${check.remedy}` : ''}`,
      )
      .join('\n');
    return { document: { checks }, text, ok: checks.every((check) => check.state !== 'problem') };
  });
  return command;
}

const marks = { ok: 'ok     ', warning: 'warning', problem: 'problem' } as const;

function checkNode(): Check {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const recent = major > sqliteNode[0] || (major === sqliteNode[0] && minor >= sqliteNode[1]);
  return {
    name: 'Node',
    state: recent ? 'ok' : 'warning',
    detail: `${process.versions.node}${recent ? '' : ' has no SQLite of its own; a slower one is used'}`,
    remedy: recent ? undefined : 'Install Node 24 for a faster index.',
  };
}

async function checkDatabase(): Promise<Check> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-doctor-'));
  try {
    const database = await openDatabase(join(folder, 'probe.db'));
    database.exec('CREATE VIRTUAL TABLE probe USING fts5(text)');
    database.close();
    return { name: 'SQLite', state: 'ok', detail: `${database.driver} with full-text search` };
  } catch (error) {
    return {
      name: 'SQLite',
      state: 'problem',
      detail: messageOf(error),
      remedy: `Check that ${tmpdir()} can be written, then install Harnessmith again.`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkGit(folder: string): Promise<Check> {
  try {
    const { stdout } = await git(folder, ['--version']);
    const facts = await gitFacts(folder);
    const version = stdout.trim().replace('git version ', '');
    if (!facts.repository) {
      return {
        name: 'git',
        state: 'warning',
        detail: `${version}; ${folder} is in no repository, so nothing can be validated or applied on a branch`,
        remedy: 'git init && git add . && git commit -m "Start"',
      };
    }
    const state = facts.head === null ? 'no commit yet' : facts.dirty ? 'uncommitted changes' : 'clean';
    return { name: 'git', state: 'ok', detail: `${version}; ${state}` };
  } catch (error) {
    return {
      name: 'git',
      state: 'problem',
      detail: messageOf(error),
      remedy: 'Install git, for example: apt-get install git',
    };
  }
}

async function checkHarness(folder: string): Promise<Check[]> {
  try {
    const harness = await openHarness(folder);
    const suites = Object.keys(harness.config.suites);
    const checks: Check[] = [
      {
        name: 'Harness',
        state: 'ok',
        detail: harness.configFile
          ? `${harness.name}, ${harness.configFile}`
          : `${harness.name}, defaults (no harness.json)`,
      },
      suites.length > 0
        ? { name: 'Suites', state: 'ok', detail: suites.join(', ') }
        : {
            name: 'Suites',
            state: 'warning',
            detail: 'none, so nothing can be validated',
            remedy: `Describe one under "suites" in ${storePaths(harness.root).harnessJson}; docs/validation.md shows how.`,
          },
    ];
    checks.push(await checkModel(harness));
    return checks;
  } catch (error) {
    const remedy = error instanceof HarnessmithError ? error.nextStep : undefined;
    return [{ name: 'Harness', state: 'problem', detail: messageOf(error), remedy }];
  }
}

/** Makes the client too, which asks nothing of the model yet: it knows whether the key may go to the address. */
async function checkModel(harness: Harness): Promise<Check> {
  const model = harness.config.model;
  if (!model) {
    return {
      name: 'Model',
      state: 'warning',
      detail: 'none configured, so no proposals can be made',
      remedy: 'Set "model" in harness.json; docs/models.md shows how.',
    };
  }
  const detail = `${model.provider} ${model.model}`.trim();
  if (!model.apiKeyVariable) return { name: 'Model', state: 'ok', detail };
  try {
    await createModelClient(model, { env: process.env, root: harness.root });
    return { name: 'Model', state: 'ok', detail };
  } catch (error) {
    if (!(error instanceof ModelKeyMissingError)) {
      const remedy = error instanceof HarnessmithError ? error.nextStep : undefined;
      return { name: 'Model', state: 'warning', detail: `${detail}; ${messageOf(error)}`, remedy };
    }
    const { variable } = error;
    return {
      name: 'Model',
      state: 'warning',
      detail: `${detail}; ${variable} is not set`,
      remedy: `export ${variable}=...`,
    };
  }
}
