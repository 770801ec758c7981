export { firstParent, requireRepository, resolveCommit, type Snapshot, snapshotWorkingTree } from './snapshot';
export {
  type ArmWorktree,
  addWorktree,
  protectCommit,
  registeredWorktrees,
  releaseCommits,
  removeWorktree,
  worktreeFolder,
} from './worktrees';
