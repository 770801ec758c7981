export {
  type Database,
  databaseError,
  isDamaged,
  isLocked,
  isReadOnly,
  openDatabase,
  type SqlRow,
  type SqlValue,
  type Statement,
} from './database';
export {
  describeIssues,
  isMissing,
  parseJson,
  readJsonFile,
  readTextIfPresent,
  writeFileAtomic,
  writeJsonFile,
} from './files';
export { appendJsonLine, type JsonLines, readJsonLines } from './jsonLines';
export { currentPerson, Ledger } from './ledger';
export { LedgerEntry } from './ledgerModel';
export { acquireLock, type Lock, LockedError, type LockOwner, lockOwner } from './lock';
export { ensureStore, storeFolderName, storePaths } from './paths';
