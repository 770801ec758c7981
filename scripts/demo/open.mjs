import { openForPerson } from '../editor/index.mjs';

/**
 * Opens a workspace in a real VS Code and says how to look at it. With a server, stays until Ctrl-C.
 * `opened` is told the folder the extension was copied to.
 */
export async function openWorkspace(workspace, opened = () => {}) {
  const editor = await openForPerson(workspace);
  opened(editor.extension);
  console.log(`\nOpened ${workspace}.`);
  console.log('In the activity bar choose Harnessmith. The walkthrough is under Help > Welcome.');
  if (editor.kind !== 'code-server') return;
  console.log(`\nVS Code runs at ${editor.link}\nPassword: ${editor.password}`);
  console.log('It is served on this machine only. Stop it with Ctrl-C.');
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await editor.stop();
}
