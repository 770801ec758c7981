/** The files of a harness by their last name, to find them again under another root. */
export class HarnessFiles {
  private readonly byName = new Map<string, string[]>();
  private readonly paths = new Set<string>();

  constructor(files: readonly { path: string }[]) {
    for (const { path } of files) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      this.byName.set(name, [...(this.byName.get(name) ?? []), path]);
      this.paths.add(path);
    }
  }

  has(path: string): boolean {
    return this.paths.has(path);
  }

  /** Files with the longest common end with a path, in whole segments; a file that agrees whole counts two at least. */
  endingLike(path: string): { file: string; segments: number }[] {
    const wanted = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
    let longest = 0;
    let found: { file: string; segments: number }[] = [];
    for (const file of this.byName.get(wanted.at(-1) ?? '') ?? []) {
      const parts = file.split('/');
      let segments = 0;
      while (segments < Math.min(parts.length, wanted.length) && parts.at(-1 - segments) === wanted.at(-1 - segments))
        segments += 1;
      if (segments === 0 || segments < longest) continue;
      if (segments > longest) found = [];
      longest = segments;
      found.push({ file, segments: segments === parts.length ? Math.max(segments, 2) : segments });
    }
    return found;
  }
}
