import type { GraphNode, LiteralFact } from '../model';
import { type GraphLists, promptsAndKeys } from './facts';
import { remembered, rememberedByName, rememberedFor } from './remembered';

/** More users than this of one name says the name is common, not that the file is used. */
export const maximumUsers = 24;

/** A constant string of code; `text` has `*` for placeholders. */
export interface CodeLiteral {
  fact: LiteralFact;
  text: string;
}

/** One that may be a path. */
export interface PathLiteral extends CodeLiteral {
  /** Without what leads there from elsewhere. */
  path: string;
  /** The last part of it. */
  name: string;
}

/** One that may name a key. */
export interface KeyLiteral extends CodeLiteral {
  /** What follows its last dot. */
  name: string;
}

const longest = 200;
const importPath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?$/;
/** Ends in the name of a file, which has no slash. */
const fileName = /\.[a-z0-9]{1,8}$/i;

/** Short constant strings of code, by what they may name. Those of prompts and configuration are left out. */
export class CodeLiterals {
  private readonly isCode: (literal: CodeLiteral) => boolean;
  private readonly lists: readonly (readonly LiteralFact[])[];

  constructor(lists: GraphLists) {
    // Code that reads a variable of the environment has a `config` node too, and stays code.
    const isArtifact = ({ kind, file }: GraphNode) => kind === 'prompt' || /\.(ya?ml|jsonc?|toml)$/.test(file);
    const artifacts = new Set(
      promptsAndKeys(lists)
        .filter(isArtifact)
        .map(({ file }) => file),
    );
    this.isCode = ({ fact }) => !artifacts.has(fact.file);
    this.lists = [...lists.literals, ...lists.artifacts.literals];
  }

  /** What may be the path of one of these files; a literal such as `prompts/*.md` may stand for several. */
  paths(files: ReadonlySet<string>): PathLiteral[] {
    return paths(this.lists, files).filter(this.isCode);
  }

  /** What looks like `package.module.name`. */
  importPaths(): CodeLiteral[] {
    return importPaths(this.lists).filter(this.isCode);
  }

  /** What may name one of these keys: it has a dot, or the key is no everyday word. */
  keys(names: ReadonlySet<string>): KeyLiteral[] {
    return keys(this.lists, names).filter(this.isCode);
  }

  /** Whose part after the last slash is one of these names, which have a dot. */
  named(names: ReadonlySet<string>): CodeLiteral[] {
    return lastParts(this.lists, names).filter(this.isCode);
  }
}

const paths = rememberedFor(
  (list: readonly LiteralFact[]) =>
    shortOf(list).flatMap((literal): PathLiteral[] => {
      const path = literal.text.replace(/^\.?\.?\//, '').replace(/^(\.\.\/)+/, '');
      return fileName.test(path) ? [{ ...literal, path, name: path.slice(path.lastIndexOf('/') + 1) }] : [];
    }),
  (files) => {
    const names = [...new Set([...files].map((file) => file.slice(file.lastIndexOf('/') + 1)))];
    const known = new Set(names);
    return ({ name }) =>
      known.has(name) || (name.includes('*') && names.some((each) => each.endsWith(afterStar(name))));
  },
);

/** What follows the last star of a pattern. */
export function afterStar(pattern: string): string {
  return pattern.slice(pattern.lastIndexOf('*') + 1);
}

const importPaths = remembered((list: readonly LiteralFact[]) =>
  shortOf(list).filter(({ text }) => importPath.test(text)),
);

const keys = rememberedByName((list: readonly LiteralFact[]) =>
  shortOf(list).flatMap((literal): KeyLiteral[] => {
    const name = literal.text.slice(literal.text.lastIndexOf('.') + 1);
    return literal.text.includes('.') || isDistinctive(name) ? [{ ...literal, name }] : [];
  }),
);

const lastParts = rememberedByName((list: readonly LiteralFact[]) =>
  shortOf(list).flatMap((literal) => {
    const name = literal.text.slice(literal.text.lastIndexOf('/') + 1);
    return name.includes('.') ? [{ ...literal, name }] : [];
  }),
);

function shortOf(list: readonly LiteralFact[]): CodeLiteral[] {
  const found: CodeLiteral[] = [];
  for (const fact of list) {
    const text = fact.parts.length === 1 ? (fact.parts[0] ?? '*') : fact.parts.map((part) => part ?? '*').join('');
    if (text.length > 0 && text.length <= longest) found.push({ fact, text });
  }
  return found;
}

/** A name long or composed enough that the same name in code is no accident. */
export function isDistinctive(name: string): boolean {
  return (/[a-z0-9][_A-Z-]|_[a-z]/.test(name) && name.length >= 6) || name.length >= 12;
}
