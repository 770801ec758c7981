import { go } from './go';
import type { Language } from './language';
import { python } from './python';
import { rust } from './rust';
import { typeScriptFamily } from './typescript';

/** Every language the index reads. A new one is a folder and a line here. */
export const languages: readonly Language[] = [python, ...typeScriptFamily, go, rust];

const byEnding = languages
  .flatMap((language) => language.endings.map((ending) => ({ ending, language })))
  .sort((a, b) => b.ending.length - a.ending.length);

/** The language of a path, or undefined when no parser reads it. */
export function languageOf(path: string): Language | undefined {
  const lower = path.toLowerCase();
  return byEnding.find(({ ending }) => lower.endsWith(ending))?.language;
}

export function languageById(id: string): Language | undefined {
  return languages.find((language) => language.id === id);
}
