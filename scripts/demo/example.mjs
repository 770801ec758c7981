import { join, relative } from 'node:path';
import { harnessmith, harnessmithJson, heading, show } from './harnessmith.mjs';
import { newWorkspace } from './workspace.mjs';

/** The whole loop on a fresh copy of the example. Returns the workspace. */
export function demoOnExample({ trials }) {
  const started = Date.now();
  const workspace = newWorkspace();
  const run = (args) => harnessmith(workspace, args);
  const ask = (args) => harnessmithJson(workspace, args);
  console.log(`Harnessmith on tinker, a small agent harness with planted flaws. Workspace: ${workspace}`);
  console.log('No key and no model is needed: trials use a simulated model, the proposal is a recorded answer.');

  heading(1, 'Index the harness', ['index', '--stats']);
  show(run(['index', '--stats']).text);

  heading(2, 'Write its handbook, and check every anchor', ['handbook']);
  show(run(['handbook']).text);
  show(run(['handbook', '--check']).text);

  heading(3, 'Import its recorded traces', ['traces', 'import', 'traces']);
  show(run(['traces', 'import', 'traces']).text, 16);

  heading(4, 'What fails, and where', ['diagnose']);
  show(run(['diagnose']).text, 14);
  const { findings, flaws } = ask(['diagnose']);
  const flaw = chooseFlaw(flaws);
  const finding = exemplar(findings, flaw);

  heading(5, 'The harness code behind one failing step', [
    'link',
    relative(workspace, finding.run),
    '--step',
    String(finding.steps[0]),
  ]);
  show(run(['traces', 'show', finding.run, '--step', String(finding.steps[0])]).text, 8);
  show(run(['link', finding.run, '--step', String(finding.steps[0])]).text);

  heading(6, 'Ask for a change of this flaw', ['propose', '--flaw', flaw.id]);
  const { proposal } = ask(['propose', '--flaw', flaw.id]).proposals[0];
  show(run(['proposals', 'show', proposal.id]).text, 80);

  heading(7, 'Accept one decision, reject the other', ['proposals', 'accept', proposal.id, '--decision', 'd1']);
  show(run(['proposals', 'accept', proposal.id, '--decision', 'd1', '--reason', 'it names what was wrong']).text);
  for (const { id } of proposal.decisions.slice(1)) {
    show(run(['proposals', 'reject', proposal.id, '--decision', id, '--reason', 'one change at a time']).text);
  }

  heading(8, 'Validate: baseline against candidate, in worktrees', [
    'validate',
    proposal.id,
    '--trials',
    String(trials),
  ]);
  const validated = ask(['validate', proposal.id, '--trials', String(trials)]);
  show(run(['runs', 'show', validated.manifest.id]).text, 60);

  heading(9, 'The same measurement on no change at all (A/A)', ['validate', '--same', '--trials', String(trials)]);
  const same = ask(['validate', '--same', '--trials', String(trials)]);
  show(run(['runs', 'show', same.manifest.id]).text, 60);

  const store = join(workspace, '.harnessmith');
  console.log(`
The proposal: ${validated.verdict.verdict}. No change at all: ${same.verdict.verdict}.

Where everything lies
  handbook     ${join(store, 'cache', 'handbook', 'index.md')}
  proposal     ${join(store, 'proposals', proposal.id)}
  trials       ${join(store, 'runs', validated.manifest.id, 'trials.jsonl')}
  verdict      ${join(store, 'runs', validated.manifest.id, 'verdict.json')}
  A/A verdict  ${join(store, 'runs', same.manifest.id, 'verdict.json')}
  ledger       ${join(store, 'ledger.jsonl')}

Next: npm run demo -- --open            the same workspace in VS Code
      npm run demo -- --harness DIR     the first parts on your own repository
Took ${Math.round((Date.now() - started) / 1000)} s.`);
  return workspace;
}

/** The flaw that hurts most: most failing runs, then fewest passing ones. */
function chooseFlaw(flaws) {
  const [worst] = [...flaws].sort((a, b) => b.failingRuns - a.failingRuns || a.passingRuns - b.passingRuns);
  if (!worst) throw new Error('no flaw was found in the recorded traces');
  return worst;
}

/** The strongest finding of a flaw in a failing run. */
function exemplar(findings, flaw) {
  const own = findings.filter((finding) => flaw.findings.includes(finding.id) && finding.runFailed);
  return own.sort((a, b) => b.confidence - a.confidence || b.steps.length - a.steps.length)[0];
}
