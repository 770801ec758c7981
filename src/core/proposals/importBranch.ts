import { InputError } from '../errors';
import { git } from '../harness';
import { type ImportOptions, importDiff } from './importDiff';
import type { Proposal } from './model';
import type { ProposeInput } from './propose';

/**
 * Makes a proposal of what a branch or commit changes since it left the present one. Nothing is checked out.
 * @throws InputError when there is no such branch, when it has nothing new, and what `importDiff` throws.
 */
export async function importBranch(
  harness: ProposeInput['harness'],
  branch: string,
  options: Omit<ImportOptions, 'title'> & { title?: string },
): Promise<Proposal> {
  const { root } = harness;
  const commit = await commitOf(root, branch);
  // Without the configuration of the person: a diff tool of their own, colours or prefixes would break the form.
  const args = ['-c', 'core.quotePath=false', 'diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
  const range = ['--src-prefix=a/', '--dst-prefix=b/', '--relative', `HEAD...${commit}`, '--'];
  const { stdout, exitCode } = await git(root, [...args, ...range], { signal: options.signal, allowFailure: true });
  if (exitCode !== 0) throw unusable(branch, 'it has no commit in common with the present one');
  if (stdout.trim() === '') throw unusable(branch, 'it changes nothing here since it left the present commit');
  const subject = (await git(root, ['log', '-1', '--format=%s', commit])).stdout.trim();
  return importDiff(harness, stdout, {
    ...options,
    title: options.title ?? (subject || branch),
    request: options.request ?? `Imported from ${branch}.`,
  });
}

/** True when a name is a branch, tag or commit of the repository. */
export async function isRevision(root: string, name: string): Promise<boolean> {
  if (name === '' || name.startsWith('-')) return false;
  const found = await git(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { allowFailure: true });
  return found.exitCode === 0;
}

async function commitOf(root: string, branch: string): Promise<string> {
  if (!(await isRevision(root, branch))) throw unusable(branch, 'there is no such branch or commit');
  return (await git(root, ['rev-parse', '--verify', `${branch}^{commit}`])).stdout.trim();
}

function unusable(branch: string, reason: string): InputError {
  return new InputError(`${branch} cannot be imported: ${reason}.`, {
    code: 'branch-unusable',
    nextStep: 'Name a branch that was made from the present one.',
  });
}
