import { execFileSync } from 'node:child_process';

/** A commit message as a request: without prefixes, numbers, links, code, trailers and spelled-out places. */
export function requestFrom(message: string): string {
  const [subject = '', ...body] = message
    .replace(/\r/g, '')
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .trim()
    .split('\n');
  const end = body.findIndex((line) => /^\s*(-{3,}|={5,}|\*\s+\S)/.test(line));
  const kept = (end === -1 ? body : body.slice(0, end)).filter((line) => !leftOut.test(line));
  const title = plain(subject.replace(prefix, '').replace(prefix, ''));
  const sentences = [
    /[.!?]$/.test(title) ? title : `${title}.`,
    ...kept.map((line) => plain(line.replace(/^\s*([-*]|\d+[.)])\s+/, ''))),
  ];
  return sentences
    .filter((sentence) => /[A-Za-z]{2}/.test(sentence))
    .join(' ')
    .split(/\s+/)
    .slice(0, longest)
    .join(' ');
}

const longest = 120;
const prefix =
  /^\s*(\[[^\]]{1,60}\]\s*[:-]?\s*|(feat|feature|fix|bugfix|hotfix|chore|refactor|perf|docs?|tests?|style|build|ci|revert|enh|add|update|release|ui|core|cli)\s*(\([^)]{0,60}\))?\s*!?\s*:\s*|[a-z][\w./,-]{1,40}(\([^)]{0,40}\))?!?:\s+)/i;
const leftOut =
  /^\s*([-*]\s*)?(co-?authored-by|signed-off-by|reviewed-by|change-id|generated|assisted-by|acked-by|tested-by|cc:|cherry|#{1,6}\s|\[[ xX]\]|\||>|\$ )/i;

function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replace(/<?https?:\/\/[^\s)>]+>?/g, ' ')
    .replace(/[([]?(\b(fix(es|ed)?|close[sd]?|resolve[sd]?|refs?|see)\s*:?\s*)?#\d+[)\]]?/gi, ' ')
    .replace(
      /`?[\w.@~-]*(\/[\w.@*-]+)+\.[A-Za-z]{1,6}`?|`?\b[\w-]+\.(py|tsx?|jsx?|go|rs|sh)\b`?|`?\b\w+(::\w+)+(\(\))?`?/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** The request behind a commit of a repository. */
export function requestOfCommit(folder: string, commit: string): string {
  return requestFrom(execFileSync('git', ['log', '-1', '--format=%B', commit], { cwd: folder, encoding: 'utf8' }));
}
