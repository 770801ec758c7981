// The door of the editor tools.
export { ensureChromium, findChromium, launchBrowser } from './browser.mjs';
export { ensureCodeServer, startCodeServer } from './codeServer.mjs';
export { downloadDesktop, findDesktopCode } from './desktop.mjs';
export { openForPerson } from './open.mjs';
export { quietSettings } from './settings.mjs';
export { stageExtension } from './stage.mjs';
export { openWorkbench } from './workbench.mjs';
export { commitAll, copyExample, writeWorkspaceFile } from './workspaces.mjs';
