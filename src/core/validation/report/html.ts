import { points } from '../sentence';
import { factLines, type RunReport } from './documents';
import { orderedTasks, shareWords } from './table';

/** The report as one self-contained HTML file: no script, no address, every text escaped. */
export function htmlReport(report: RunReport): string {
  const { manifest, verdict } = report;
  const rows = orderedTasks(verdict).map(
    (task) =>
      `<tr class="${task.group.replace(' ', '-')}"><th scope="row">${text(task.task)}</th><td>${shareWords(task.baseline)}</td>` +
      `<td>${shareWords(task.candidate)}</td><td>${task.group}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(manifest.suiteName)}: ${text(manifest.id)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color-scheme: light dark; }
.verdict { font-size: 1.15em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; font-weight: normal; padding: 3px 10px 3px 0; border-bottom: 1px solid #8886; }
thead th { font-weight: 600; }
.flipped-down th, .flipped-down td { color: #c62828; font-weight: 600; }
svg { max-width: 100%; }
</style>
</head>
<body>
<h1>${text(manifest.suiteName)}: ${text(manifest.id)}</h1>
<p class="verdict">${text(verdict.sentence)}</p>
${intervalPicture(verdict.difference, verdict.interval)}
<ul>
${factLines(report)
  .map((line) => `<li>${text(line)}</li>`)
  .join('\n')}
</ul>
<table>
<thead><tr><th scope="col">task</th><th scope="col">baseline</th><th scope="col">candidate</th><th scope="col">group</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

/** The interval against zero; the words beside it say the same. */
function intervalPicture(difference: number, [low, high]: readonly [number, number]): string {
  const reach = Math.max(0.05, Math.abs(low), Math.abs(high));
  const x = (value: number) => (240 + (200 * value) / reach).toFixed(1);
  const words = `Candidate minus baseline: ${points(difference)} pp, 95 % interval ${points(low)} to ${points(high)} pp.`;
  return (
    `<figure><svg viewBox="0 0 480 40" width="480" height="40" role="img" aria-label="${text(words)}">` +
    `<line x1="240" x2="240" y1="4" y2="36" stroke="currentColor" stroke-dasharray="3 3"/>` +
    `<line x1="${x(low)}" x2="${x(high)}" y1="20" y2="20" stroke="#1e88e5" stroke-width="3"/>` +
    `<circle cx="${x(difference)}" cy="20" r="5" fill="#1e88e5"/></svg><figcaption>${text(words)}</figcaption></figure>`
  );
}

function text(value: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return value.replaceAll(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
