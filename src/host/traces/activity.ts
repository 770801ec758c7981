/** Words in the name of a tool, or commands of a shell, that tell what kind of thing a turn does. The first fit counts. */
const kinds: readonly (readonly [activity: string, tool: RegExp, command: RegExp])[] = [
  [
    'edit',
    /(^|_|\b)(edit|write|replace|insert|patch|create|apply|append|delete_file|rename|move)/i,
    /^\s*(sed\s+-i|tee|patch|mv|cp|rm|mkdir|touch|git\s+apply)\b|>{1,2}\s*[\w./~-]+\s*(<<|$)|^\s*cat\s*(>|<<)/,
  ],
  ['submit', /(submit|finish|done|complete|final|answer)/i, /^\s*(submit|echo\s+\S*(COMPLETE|SUBMIT|FINAL)\S*)/],
  [
    'run',
    /(test|run_|exec_|python|notebook)/i,
    /\b(pytest|npm|npx|pnpm|yarn|node|python3?|make|cargo|go\s+(test|run|build|vet)|tsc|jest|vitest|mvn|gradle|pip3?|uv)\b/,
  ],
  [
    'explore',
    /(read|view|list|ls|grep|glob|search|find|open|cat|fetch|get|show|scroll|think|todo|plan)/i,
    /^\s*(cd\s+\S+\s*(&&|;)\s*)*(ls|cat|grep|rg|find|head|tail|sed\s+-n|tree|pwd|wc|git\s+(log|status|diff|show|grep)|awk|file|stat|which|echo)\b/,
  ],
];

const shells =
  /^(bash|sh|shell|terminal|execute_bash|run_command|exec|exec_command|local_shell|run_shell_command|cmd)\b/i;

/** What kind of thing a turn does, from its calls (`name arguments`, one a line): explore, edit, run, submit, or the tool. */
export function activityOf(calls: string): string {
  const [first = ''] = calls.split('\n', 1);
  if (first.trim() === '') return 'no action';
  const [name = ''] = first.split(' ', 1);
  const rest = first.slice(name.length + 1).replace(/^\{"(?:command|cmd|code)":\s*"/, '');
  const isShell = shells.test(name);
  for (const [activity, tool, command] of kinds) if (isShell ? command.test(rest) : tool.test(name)) return activity;
  return name.slice(0, 40);
}
