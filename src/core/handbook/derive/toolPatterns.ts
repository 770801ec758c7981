import type { UnitKind } from '../model';

/** Tool names the model sees, by what the tool does; `plain` names are the tool itself and no relative of it,
 * `first` those among them that are it everywhere. */
export const toolPatterns: { kind: UnitKind; name: RegExp; plain: RegExp; first?: RegExp }[] = [
  {
    kind: 'tool_submit',
    name: /\b(submit|finish|done|complete|completion|attempt completion|final answer|exit|give up)\b/,
    plain: /^(submit|finish|done|task done|complete task|task complete|attempt completion|final answer)$/,
  },
  {
    kind: 'tool_search',
    name: /\b(grep|glob|find|search|ls|list|rg|locate|ripgrep)\b/,
    plain:
      /^(grep|search|search files?|search dir|find files?|search file content|rip ?grep|rg|code search|fs search|glob|find)( search)?$/,
    first: /grep|search|\brg\b/,
  },
  {
    kind: 'tool_edit',
    name: /\b(edit|patch|replace|insert|str replace|apply|modify|undo|editor)\b/,
    plain:
      /^((file |text )?(edit|editor)( file)?|replace|replace in file|str replace( editor)?|apply( \w+)? (patch|diff)|str replace based edit tool|patch|fs patch|fs edit)$/,
  },
  {
    kind: 'tool_write',
    name: /\b(write|create|save|append)\b/,
    plain: /^((fs )?write( file| to file)?|create( file)?|file write|save file|fs create)$/,
  },
  {
    kind: 'tool_read',
    name: /\b(read|view|open|cat|scroll|goto|show)\b/,
    plain: /^((fs )?read( file)?|view( file)?|open( file)?|cat|file read)$/,
  },
  {
    kind: 'tool_shell',
    name: /\b(bash|shell|exec|execute|command|terminal|run|python|cmd|powershell)\b/,
    plain:
      /^((execute |run )?(bash|shell)( command| tool)?|execute command|run command|terminal|exec|cmd run|shell exec)$/,
  },
];
