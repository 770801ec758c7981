import type { FileEntry } from './symbolTable';
import { Reader, type Tracking } from './tracking';

/** Far more than any source needs; it keeps hostile ones from overflowing the stack. */
const deepest = 64;

/** A kind of question about a file. */
interface Kind {
  /** Stands for an answer that is being looked for: what needs itself gives nothing the second time. */
  nothing: unknown;
  answer(file: FileEntry, question: string): unknown;
}

/** The answer to a question about a file. */
export class Memo extends Reader {
  value: unknown;
  state: 'running' | 'known' | 'stale' = 'running';
  /** How many answers lie below it. */
  height = 0;
  /** Found while going round in a circle: what it says depends on where the circle was entered. */
  circular = false;

  constructor(
    readonly kind: Kind,
    readonly file: FileEntry,
    readonly key: string,
    readonly question: string,
  ) {
    super();
    this.value = kind.nothing;
  }
}

interface Frame {
  memo: Memo;
  /** Index of the outermost running answer it needed. */
  lowest: number;
}

/**
 * Answers every question once. What is kept for all files is the same in whatever order files are linked, because an
 * answer that needs itself in a circle of several, or lies too deep, is kept only for the file that is being linked.
 */
export class Memos {
  private readonly running: Frame[] = [];
  /** Circular answers for the file that is being linked. */
  private own = new Map<string, Memo>();

  constructor(private readonly tracking: Tracking) {}

  /**
   * Makes a kind of question.
   *
   * @param mark sets its keys apart from those of other kinds
   */
  define<T>(
    mark: string,
    nothing: T,
    answer: (file: FileEntry, question: string) => T,
  ): (file: FileEntry, question: string) => T {
    const kind: Kind = { nothing, answer };
    return (file, question) => this.once(kind, file, mark + question, question) as T;
  }

  /** Runs `work` for a reader; circular answers are not shared with others. */
  alone<T>(reader: Reader | null, work: () => T): T {
    const before = this.own;
    this.own = new Map();
    try {
      return this.tracking.as(reader, work);
    } finally {
      this.own = before;
    }
  }

  /** Answers again what became stale, unless another answer needed it before. */
  refresh(memo: Memo): void {
    if (memo.state === 'stale') this.alone(null, () => this.run(memo));
  }

  private once(kind: Kind, file: FileEntry, key: string, question: string): unknown {
    const known = file.memos.get(key) ?? (this.own.size > 0 ? this.own.get(`${file.path}\0${key}`) : undefined);
    const user = this.running.at(-1);
    if (known?.state === 'running') {
      const at = this.running.findLastIndex(({ memo }) => memo === known);
      if (user && user.memo !== known) user.lowest = Math.min(user.lowest, at);
      return kind.nothing;
    }
    if (this.running.length + (known?.state === 'known' ? known.height : 0) >= deepest) {
      if (user) user.memo.circular = true;
      return kind.nothing;
    }
    const memo = known ?? new Memo(kind, file, key, question);
    if (memo.state !== 'known') this.run(memo);
    const { reader } = this.tracking;
    if (reader) memo.usedBy(reader);
    if (user) {
      if (user.memo.height <= memo.height) user.memo.height = memo.height + 1;
      if (memo.circular) user.memo.circular = true;
    }
    return memo.value;
  }

  private run(memo: Memo): void {
    const { file, key, kind } = memo;
    const index = this.running.length;
    const frame = { memo, lowest: index };
    file.memos.set(key, memo);
    memo.state = 'running';
    memo.height = 0;
    memo.circular = false;
    this.running.push(frame);
    const before = this.tracking.reader;
    this.tracking.reader = memo;
    let done = false;
    try {
      memo.value = kind.answer(file, memo.question);
      done = true;
    } finally {
      this.tracking.reader = before;
      this.running.pop();
      memo.state = 'known';
      const below = this.running.at(-1);
      if (frame.lowest < index) {
        memo.circular = true;
        if (below) below.lowest = Math.min(below.lowest, frame.lowest);
      }
      if (memo.circular || !done) file.memos.delete(key);
      if (memo.circular && done) this.own.set(`${file.path}\0${key}`, memo);
    }
  }
}
