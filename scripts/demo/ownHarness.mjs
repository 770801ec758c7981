import { cli, harnessmith, heading, show } from './harnessmith.mjs';

/** The first parts of the loop on the user's own repository. Returns the exit code. */
export function demoOnHarness({ harness, traces }) {
  console.log(`Harnessmith on ${harness}. Nothing is run and nothing but ${harness}/.harnessmith is written.`);
  heading(1, 'Index the harness', ['index', harness, '--stats']);
  show(harnessmith(harness, ['index', '.', '--stats']).text);
  heading(2, 'Write its handbook', ['handbook', harness]);
  show(harnessmith(harness, ['handbook', '.']).text);
  heading(3, 'Check every anchor of the handbook', ['handbook', harness, '--check']);
  const check = harnessmith(harness, ['handbook', '.', '--check']);
  show(check.text);
  if (traces) {
    heading(4, 'Import traces', ['traces', 'import', traces]);
    show(harnessmith(harness, ['traces', 'import', traces]).text);
    heading(5, 'What fails, and where in the harness', ['diagnose']);
    show(harnessmith(harness, ['diagnose']).text);
  }
  console.log(`
What to do next, in ${harness}:
  harnessmith locate "truncate long tool output"      where does a behaviour live?
  ${traces ? 'harnessmith link <trace> --step N                    the code behind a step' : 'harnessmith traces import <files or folders>         then: traces list, link, diagnose'}
  harnessmith doctor                                  what is missing for proposals and validation
Here \`harnessmith\` stands for: node ${cli}
To see all this in VS Code, install the extension as docs/editor.md says and open the folder.`);
  return check.status;
}
