/** One kind of edit a person makes. */
export const editKinds = ['white space', 'body', 'added function', 'changed import', 'changed constant'] as const;
export type EditKind = (typeof editKinds)[number];

/** Numbers that are the same in every run. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** A whole number from 0 to below `limit`. Linear congruential generator with the constants of Numerical Recipes. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** The text after an edit; undefined when the text has no place for an edit of this kind. */
export function editOf(kind: EditKind, path: string, text: string, chance: Chance): string | undefined {
  const isPython = path.endsWith('.py');
  const lines = text.split('\n');
  const at = (matches: (line: string) => boolean): number | undefined => {
    const places = lines.flatMap((line, index) => (matches(line) ? index : []));
    return places.length > 0 ? chance.of(places) : undefined;
  };
  switch (kind) {
    case 'white space':
      return lines.toSpliced(chance.below(lines.length), 0, '').join('\n');
    case 'body': {
      const place = at((line) =>
        isPython ? /^\s+return\b.*[\w)]$/.test(line) : /^\s+(return|const|await)\b.*;$/.test(line),
      );
      const indent = place === undefined ? '' : /^\s*/.exec(lines[place]!)![0];
      const added = isPython
        ? `${indent}print(len(str(locals())))`
        : `${indent}console.log(String(arguments.length).trim());`;
      return place === undefined ? undefined : lines.toSpliced(place, 0, added).join('\n');
    }
    case 'added function': {
      const name = `added${chance.below(1000)}`;
      return isPython
        ? `${text}\ndef ${name}(value):\n    return str(value)\n`
        : `${text}\nexport function ${name}(value: string) {\n  return value.trim();\n}\n`;
    }
    case 'changed import': {
      const place = at((line) => (isPython ? /^(from|import) /.test(line) : /^import .* from '.*';$/.test(line)));
      return place === undefined ? undefined : lines.toSpliced(place, 1).join('\n');
    }
    case 'changed constant': {
      const place = at((line) => /^(export )?(const )?[A-Z][A-Z_]+\b.*= .*\d/.test(line));
      return place === undefined ? undefined : lines.with(place, lines[place]!.replace(/\d(?=\D*$)/, '7')).join('\n');
    }
  }
}
