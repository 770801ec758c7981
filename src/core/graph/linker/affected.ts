import { ClassBases } from './classEntry';
import { FileLinks } from './fileEntry';
import { Memo } from './memos';
import type { Change } from './renew';
import type { NameResolver } from './resolveNames';
import type { ClassEntry, FileEntry } from './symbolTable';
import type { Reader } from './tracking';
import { sameAnswer } from './values';

/** Files whose links may come out otherwise, besides the changed ones. Brings what is known up to date. */
export function affectedBy(changes: readonly Change[], names: NameResolver): Set<FileEntry> {
  const files = new Set<FileEntry>();
  let readers = changes.flatMap((change) => change.readers);
  let classes = new Set(changes.flatMap((change) => [...change.classes]));
  while (readers.length > 0 || classes.size > 0) {
    const touched = askAgain(readers, names);
    for (const file of touched.files) files.add(file);
    for (const entry of touched.classes) classes.add(entry);
    const bases = names.hierarchy.rejoin(classes);
    classes = new Set();
    readers = [...bases].flatMap((base) => [...base.file.lookups.of(base.below)]);
  }
  return files;
}

interface Touched {
  files: Set<FileEntry>;
  classes: Set<ClassEntry>;
}

/** Asks again what rests on the readers; those that rest on an answer that changed are touched. */
function askAgain(readers: readonly Reader[], names: NameResolver): Touched {
  const touched: Touched = { files: new Set(), classes: new Set() };
  const before = new Map<Memo, unknown>();
  const circular: Memo[] = [];
  const open = [...readers];
  for (const reader of readers) touch(reader, touched);
  const seen = new Set<Reader>();
  for (let reader = open.pop(); reader; reader = open.pop()) {
    if (seen.has(reader) || !(reader instanceof Memo)) continue;
    seen.add(reader);
    for (const user of reader.users ?? []) open.push(user);
    if (reader.file.memos.get(reader.key) === reader) before.set(reader, reader.value);
    else circular.push(reader);
  }
  for (const memo of before.keys()) memo.state = 'stale';
  // What was found in a circle is known only to its file, which finds it anew.
  for (const memo of circular) for (const user of memo.users ?? []) touch(user, touched);
  for (const [memo, value] of before) {
    names.memos.refresh(memo);
    if (memo.circular || !sameAnswer(value, memo.value)) for (const user of memo.users ?? []) touch(user, touched);
  }
  return touched;
}

function touch(reader: Reader, { files, classes }: Touched): void {
  if (reader instanceof FileLinks) files.add(reader.file);
  else if (reader instanceof ClassBases) classes.add(reader.entry);
}
