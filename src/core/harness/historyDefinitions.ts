/**
 * How definitions look at the start of a line, for reading changes without parsing them. `header` is what git looks for
 * upwards from a change to name the function around it (an extended regular expression, see gitattributes(5)); `line`
 * finds the name in that header and in changed lines.
 */
interface DefinitionPattern {
  driver: string;
  endings: readonly string[];
  header: string;
  line: RegExp;
}

const patterns: readonly DefinitionPattern[] = [
  {
    driver: 'harnesspython',
    endings: ['py'],
    header: '^[ \t]*(((async[ \t]+)?def|class)[ \t].*)$\n^([A-Za-z_][A-Za-z_0-9]*[ \t]*(:[^=]*)?=.*)$',
    line: /^\s*(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)|^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/,
  },
  {
    driver: 'harnessscript',
    endings: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
    header:
      '!^[ \t]*(if|for|while|switch|catch|return|else|await|throw|super|it|describe|test|expect)[ \t(].*$\n' +
      '^[ \t]*((export[ \t]+)?(default[ \t]+)?(declare[ \t]+)?(abstract[ \t]+)?(async[ \t]+)?(function|class|interface|enum|namespace)[ \t*].*)$\n' +
      '^((export[ \t]+)?(const|let|var|type)[ \t].*)$\n' +
      '^[ \t]+(((public|private|protected|static|async|override|readonly|get|set)[ \t]+)*[A-Za-z_#$][A-Za-z_0-9$]*[ \t]*(<[^(]*>)?\\(.*[{(,])[ \t]*$\n' +
      '^[ \t]+(((public|private|protected|static|readonly)[ \t]+)*[A-Za-z_#$][A-Za-z_0-9$]*[ \t]*=[ \t]*(async[ \t]*)?\\(.*)$',
    line: /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|namespace)\s+([A-Za-z_$][\w$]*)|^(?:export\s+)?(?:const|let|var|type)\s+([A-Za-z_$][\w$]*)|^\s+(?!(?:if|for|while|switch|catch|return|else|await|throw|super)\b)(?:(?:public|private|protected|static|async|override|readonly|get|set)\s+)*#?([A-Za-z_$][\w$]*)\s*(?:<[^(]*>)?(?:\(.*[{(,]\s*$|\s*=\s*(?:async\s*)?\()/,
  },
  {
    driver: 'harnessgo',
    endings: ['go'],
    header: '^(func[ \t].*)$\n^((type|var|const)[ \t].*)$',
    line: /^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)|^(?:type|var|const)\s+([A-Za-z_]\w*)/,
  },
  {
    driver: 'harnessrust',
    endings: ['rs'],
    header:
      '^[ \t]*((pub(\\([^)]*\\))?[ \t]+)?((async|const|unsafe|extern)[ \t]+)*(fn|struct|enum|union|trait|mod|type|static|macro_rules!)[ \t].*)$\n' +
      '^((unsafe[ \t]+)?impl[ \t<].*)$',
    line: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|unsafe|extern)\s+)*(?:fn|struct|enum|union|trait|type|static|const|macro_rules!)\s+([A-Za-z_]\w*)/,
  },
];

const byEnding = new Map(patterns.flatMap((pattern) => pattern.endings.map((ending) => [ending, pattern.line])));

/** What names a definition in a line of a file, or undefined for files of other languages. */
export function definitionPattern(path: string): RegExp | undefined {
  return byEnding.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** The name that a line defines, or undefined. */
export function definedName(pattern: RegExp, line: string): string | undefined {
  const match = pattern.exec(line);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** Content of a gitattributes file that gives every language its driver. */
export const attributes = patterns
  .flatMap(({ driver, endings }) => endings.map((ending) => `*.${ending} diff=${driver}`))
  .join('\n');

/** Options of git that define the drivers. */
export const driverOptions = patterns.flatMap(({ driver, header }) => ['-c', `diff.${driver}.xfuncname=${header}`]);
