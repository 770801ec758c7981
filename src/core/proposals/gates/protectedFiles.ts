import ignore from 'ignore';
import { touchedFiles } from '../proposalStore';
import type { Gate } from './gate';

/** Files that decide whether a change is good, or that run by themselves: a proposal that edits them measures itself. */
const byDefault: readonly { why: string; patterns: readonly string[] }[] = [
  { why: 'the file lies in .git', patterns: ['.git/'] },
  { why: 'the file belongs to the records of Harnessmith', patterns: ['.harnessmith/'] },
  {
    why: 'the file is a hook that runs by itself',
    patterns: [
      '.husky/',
      '.githooks/',
      'lefthook.y*ml',
      '.lefthook.y*ml',
      '.pre-commit-config.y*ml',
      '.vscode/tasks.json',
    ],
  },
  {
    why: 'the file belongs to continuous integration',
    patterns: [
      '.github/',
      '.gitlab-ci.yml',
      '.gitlab/ci/',
      '.ci/',
      '.circleci/',
      '.buildkite/',
      'azure-pipelines.y*ml',
      'bitbucket-pipelines.yml',
      'Jenkinsfile',
      '.travis.yml',
      '.drone.yml',
    ],
  },
  {
    why: 'the file is a verifier: it decides what counts as solved',
    patterns: [
      'verify.*',
      'verifier.*',
      '**/verifier/',
      '**/verifiers/',
      'grader.*',
      '**/graders/',
      'reward.txt',
      'run_tests.sh',
    ],
  },
];

/** No file is touched that judges the harness or that runs by itself, nor one that harness.json protects. */
export const protectedFiles: Gate = {
  id: 'protected',
  check({ proposal, protectedPatterns, tasks }) {
    const configured = ignore().add(protectedPatterns);
    const folders = (tasks.folders ?? []).map((folder) => folder.replace(/\/+$/, ''));
    const rules = byDefault.map(({ why, patterns }) => ({ why, patterns: ignore().add(patterns) }));
    return touchedFiles(proposal).flatMap((file) => {
      if (!ignore.isPathValid(file)) return [{ file, message: 'the path does not lie in the repository' }];
      if (configured.ignores(file)) return [{ file, message: 'the file is protected (harness.json)' }];
      const folder = folders.find((one) => one !== '' && one !== '.' && file.startsWith(`${one}/`));
      if (folder) return [{ file, message: `the file belongs to the tasks of a suite (${folder})` }];
      const rule = rules.find(({ patterns }) => patterns.ignores(file.toLowerCase()) || patterns.ignores(file));
      return rule ? [{ file, message: rule.why }] : [];
    });
  },
};
