// code-server grants proposed API to every extension, so a test there would not notice its use; these checks do.
import { linesMatching, projectFiles, textOf } from './sources.mjs';

const manifest = () => JSON.parse(textOf('package.json'));

/** What a person reads for a manifest text: `%key%` stands for an entry of package.nls.json. */
function shown(text) {
  const key = /^%(.+)%$/.exec(text ?? '')?.[1];
  return key ? JSON.parse(textOf('package.nls.json'))[key] : text;
}

/** Menu and contribution points that only extensions with a proposal may use (VS Code 1.139). */
const proposedPoints = [
  'editor/content',
  'diffEditor/gutter/hunk',
  'diffEditor/gutter/selection',
  'multiDiffEditor/content',
  'multiDiffEditor/resource/title',
  'commentsView/commentThread/context',
  'chatSessions',
  'chatContext',
  'mcpToolDefinitions',
  'statusBar/remoteIndicator',
  'terminal/title/context/proposed',
  'scm/inputBox',
  'scm/sourceControl/title',
  'scm/history/title',
  'scm/historyItem/context',
  'testing/profiles/proposed',
];

const proposedFunctions =
  /\b(tabInputMultiDiff|TabInputTextMultiDiff|textEditorDiffInformation|registerTimelineProvider|registerQuickDiffProvider|createTextEditorInset|createTestObserver|registerChatSessionItemProvider|MarkdownTreeItemLabel)\b/;

function versions() {
  const { engines, devDependencies } = manifest();
  const engine = engines.vscode.replace('^', '');
  const types = devDependencies['@types/vscode'];
  const problems = [];
  if (types !== engine) problems.push(`engines.vscode is ${engines.vscode}, but @types/vscode is ${types}.`);
  if (!engines.vscode.startsWith('^')) problems.push('engines.vscode is not a caret range.');
  return { problems, note: types };
}

function proposals() {
  const { enabledApiProposals, contributes = {} } = manifest();
  const problems = enabledApiProposals ? ['package.json has enabledApiProposals.'] : [];
  const points = [...Object.keys(contributes), ...Object.keys(contributes.menus ?? {})];
  for (const point of points.filter((name) => proposedPoints.includes(name))) {
    problems.push(`package.json contributes to ${point}, which is proposed API.`);
  }
  const host = projectFiles().filter((path) => /^src\/(host\/|extension)/.test(path) && path.endsWith('.ts'));
  problems.push(...linesMatching(host, proposedFunctions));
  problems.push(...projectFiles().filter((path) => /vscode\.proposed\./.test(path)));
  return problems;
}

function commandNames() {
  const commands = manifest().contributes?.commands ?? [];
  const problems = commands.length === 0 ? ['package.json contributes no command.'] : [];
  for (const { command, title, category } of commands) {
    if (!shown(title)) problems.push(`${command} has no title.`);
    if (category !== 'Harnessmith' && !shown(title)?.startsWith('Harnessmith:')) {
      problems.push(`${command} is not shown under "Harnessmith:" in the palette.`);
    }
  }
  return { problems, note: `${commands.length} commands` };
}

export const checks = [
  { title: '@types/vscode is the oldest VS Code promised', find: versions },
  { title: 'no proposed API', find: proposals },
  { title: 'palette names under "Harnessmith:"', find: commandNames },
];
