import { delimiter, dirname, join } from 'node:path';

/**
 * Variables that describe the process we run in, not the user's machine. Inherited, they would make a trial work on
 * the repository of a git hook that started us, or start the editor's Electron as if it were Node.
 */
const ownVariables =
  /^(GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)|ELECTRON_RUN_AS_NODE|VSCODE_.*)$/i;

/** What the processes of a run inherit: the variables of this process without those of its own making, and `added`. */
export function inheritedEnvironment(added: Record<string, string>): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !ownVariables.test(name)) inherited[name] = value;
  }
  return { ...inherited, ...added };
}

/**
 * Keeps git in `{out}` from finding the user's repository around it, so that an agent that commits there cannot commit
 * the user's files. Inside the worktrees git works as usual. `GIT_CEILING_DIRECTORIES` names folders it does not leave.
 */
export function fencedGit(runFolder: string): Record<string, string> {
  const ceilings = [join(runFolder, 'trials'), runFolder, dirname(runFolder)];
  const inherited = process.env.GIT_CEILING_DIRECTORIES;
  return { GIT_CEILING_DIRECTORIES: [...ceilings, ...(inherited ? [inherited] : [])].join(delimiter) };
}
