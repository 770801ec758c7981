import type { RunReport } from './documents';
import { shareWords } from './table';

/**
 * The run as JUnit XML, a test case a task: a regression by majority fails, a task without a verdict is an error, a task
 * that both arms fail is skipped, because the candidate did not break it. The verdict itself is a test case of its own,
 * which fails when the candidate is rejected.
 */
export function junitReport({ manifest, verdict, trials }: RunReport): string {
  const seconds = (task: string) =>
    trials.filter((each) => each.task === task).reduce((sum, each) => sum + each.seconds, 0);
  const cases = verdict.tasks.map((task) => {
    const words = `candidate ${shareWords(task.candidate)}, baseline ${shareWords(task.baseline)}`;
    const inner =
      task.group === 'flipped down'
        ? `<failure message="${text(words)}"/>`
        : task.group === 'not measured'
          ? `<error message="${text(words)}"/>`
          : task.group === 'stable fail'
            ? `<skipped message="${text(words)}"/>`
            : '';
    return `    <testcase classname="${text(manifest.suiteName)}" name="${text(task.task)}" time="${seconds(task.task).toFixed(3)}">${inner}</testcase>`;
  });
  const rejected = verdict.verdict === 'reject';
  const own = rejected ? `<failure message="${text(verdict.sentence)}"/>` : '';
  const count = (group: string) => verdict.tasks.filter((task) => task.group === group).length;
  const attributes =
    `tests="${verdict.tasks.length + 1}" failures="${count('flipped down') + Number(rejected)}" ` +
    `errors="${count('not measured')}" skipped="${count('stable fail')}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes}>
  <testsuite name="${text(manifest.id)}" timestamp="${text(manifest.createdAt)}" ${attributes}>
    <properties><property name="verdict" value="${verdict.verdict}"/><property name="sentence" value="${text(verdict.sentence)}"/></properties>
    <testcase classname="${text(manifest.suiteName)}" name="verdict" time="0">${own}</testcase>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

/** Text that XML may hold: its signs escaped, what it forbids left out. */
function text(value: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  return value
    .replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replaceAll(/[&<>"\n]/g, (sign) => names[sign] ?? sign);
}
