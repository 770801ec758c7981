import type { ToolCall } from '../model';
import type { ActionKind } from './model';

const LOOKS =
  /^(cat|head|tail|less|more|ls|ll|tree|find|fd|grep|egrep|rg|ag|ack|wc|stat|file|pwd|which|whereis|du|df|env|echo|printf|nl|diff|cmp|id|whoami|history|jq|sort|uniq|cd)$/;
const CHANGES = /^(rm|mv|cp|mkdir|rmdir|touch|tee|chmod|chown|ln|patch|truncate|dd|unzip|tar|apply_patch|install)$/;
const GIT_LOOKS = /^git\s+(-\S+\s+)*(status|log|diff|show|blame|branch|grep|ls-files|rev-parse|remote)\b/;
const GIT_CHANGES =
  /^git\s+(-\S+\s+)*(apply|checkout|reset|commit|stash|add|rm|mv|merge|rebase|revert|clean|restore)\b/;
const SUBMITTING = /(^|_)(submit|finish|complete|done|exit|final|attempt_completion|task_complete|mark_task_complete)/i;
const SUBMITTING_COMMAND = /COMPLETE_TASK|MINI_SWE_AGENT_FINAL_OUTPUT|^\s*submit\b/;
const CHANGING_NAME = /edit|write|create|replace|insert|patch|delete|remove|rename|move|update|save|append|undo/i;
const LOOKING_NAME = /read|view|list|search|grep|glob|find|fetch|get|open|cat|ls|browse|look|show|scroll|goto|query/i;
const SHELLS = /shell|bash|exec|command|terminal|run|python|ipython|jupyter|process/i;

/** The shell command in the arguments of a call; null when there is none. Lists of words are joined. */
export function commandOf(call: ToolCall): string | null {
  const { args } = call;
  if (typeof args === 'string') return SHELLS.test(call.name) ? args : null;
  if (typeof args !== 'object' || args === null) return null;
  for (const key of ['command', 'cmd', 'script', 'code', 'keystrokes', 'input']) {
    const value: unknown = Reflect.get(args, key);
    if (typeof value === 'string' && (key !== 'input' || SHELLS.test(call.name))) return value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return shellWords(value);
  }
  return null;
}

/** `["bash", "-lc", "ls"]` is `ls`: how a shell is started says nothing about what is done. */
function shellWords(words: readonly string[]): string {
  const [program = '', flag = '', script] = words;
  if (/(^|\/)(ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag) && script !== undefined) return script;
  return words.join(' ');
}

/**
 * The tool of a call in a form that can be compared between runs: for shells with the program that is started, since
 * `bash` with `grep` and `bash` with `rm` have nothing in common.
 */
export function normalisedTool(call: ToolCall): string {
  const command = commandOf(call);
  const name = call.name.toLowerCase().replace(/^mcp__/, '');
  const program = command === null ? null : programOf(command);
  if (program !== null && SHELLS.test(call.name)) return `shell:${program}`;
  const mode = typeof call.args === 'object' && call.args !== null ? Reflect.get(call.args, 'command') : undefined;
  return typeof mode === 'string' && /^[a-z_]{2,20}$/.test(mode) ? `${name}:${mode}` : name;
}

/** The program that a command line is about: behind `cd DIR &&`, variables, `sudo` and `timeout`. */
function programOf(command: string): string | null {
  for (const part of partsOf(command)) {
    const words = part.split(/\s+/).filter((word) => !/^\w+=/.test(word));
    while (words.length > 1 && /^(sudo|timeout|time|nohup|env|xargs|\d+[smh]?)$/.test(words[0])) words.shift();
    const program = words[0]?.split('/').pop() ?? '';
    if (program === '' || program === 'cd' || program.startsWith('#')) continue;
    return program.slice(0, 40);
  }
  return null;
}

function partsOf(command: string): string[] {
  return command
    .slice(0, 4000)
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What a call does. A command does what its strongest part does: `cd a && sed -i ...` changes. */
export function actionOf(call: ToolCall): ActionKind {
  const command = commandOf(call);
  if (SUBMITTING.test(call.name) || (command !== null && SUBMITTING_COMMAND.test(command))) return 'submit';
  if (command !== null && SHELLS.test(call.name)) return ofCommand(command);
  const mode: unknown = typeof call.args === 'object' && call.args !== null ? Reflect.get(call.args, 'command') : '';
  if (typeof mode === 'string' && /^(view|read|list|search)$/.test(mode)) return 'look';
  if (CHANGING_NAME.test(call.name)) return 'change';
  if (LOOKING_NAME.test(call.name)) return 'look';
  return SHELLS.test(call.name) ? 'run' : 'other';
}

function ofCommand(command: string): ActionKind {
  // A here-document or an output that goes to a file writes it; 2>&1 and /dev/null do not.
  const written = command.replace(/\d?>&\d|&?\d?>+\s*\/dev\/null/g, '');
  if (/(^|[^-=<>0-9])>{1,2}\s*[\w./~"'$-]/.test(written) || /\bsed\s+(-\w+\s+)*-\w*i/.test(written)) return 'change';
  let all: ActionKind = 'look';
  for (const part of partsOf(written)) {
    const program = programOf(part) ?? 'cd';
    if (CHANGES.test(program) || GIT_CHANGES.test(part)) return 'change';
    const looks = LOOKS.test(program) || GIT_LOOKS.test(part) || (program === 'sed' && /\s-n\b/.test(part));
    if (!looks) all = 'run';
  }
  return all;
}
