import { languageById } from './languages';
import type { Language } from './languages/language';

const shebang = /^#!.*?\b(python|node|deno|bun|bash|zsh|ksh|dash|sh)[\d.]*(?:\s|$)/;
/** A name without an ending, as commands have it; LICENSE, Makefile and Dockerfile are none. */
const commandName = /(^|\/)[a-z_][a-z0-9_-]*$/;

/** Whether a path may be a script, so that its first line is worth a look. */
export function mayBeScript(path: string): boolean {
  return commandName.test(path) || /\.(sh|bash|zsh)$/.test(path);
}

/** The language of a script without an ending; `shell` has no parser here. Undefined when the text is no script. */
export function scriptLanguage(path: string, text: string): Language | 'shell' | undefined {
  if (/\.(sh|bash|zsh)$/.test(path)) return 'shell';
  if (!commandName.test(path)) return undefined;
  const interpreter = shebang.exec(text)?.[1];
  if (interpreter === 'python') return languageById('python');
  if (interpreter) return /^(node|deno|bun)$/.test(interpreter) ? languageById('javascript') : 'shell';
  // Tool bundles that are put on the search path and sourced need no first line.
  if (!/(^|\/)bin\/[^/]+$/.test(path)) return undefined;
  if (/^(import|from) \w/m.test(text)) return languageById('python');
  return /^(\w+ *\(\) *\{|function \w+|if \[|for \w+ in |set -|export \w+=)/m.test(text) ? 'shell' : undefined;
}
