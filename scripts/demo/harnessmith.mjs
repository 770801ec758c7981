import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node24, root, withNode24 } from '../bootstrap.mjs';

/** The bundled command line. */
export const cli = join(root, 'dist', 'cli.cjs');

/** Prints a heading and the command that a user would type. */
export function heading(number, title, args) {
  console.log(`\n${number}. ${title}`);
  if (args)
    console.log(
      `   $ harnessmith ${args.map((word) => (/[^\w./:=@-]/.test(word) ? JSON.stringify(word) : word)).join(' ')}`,
    );
}

/**
 * Runs a command of the command line in a folder; its progress goes through to the terminal.
 * Exit code 1 is an answer ("no") and comes back; anything above ends the demo.
 */
export function harnessmith(folder, args) {
  const result = spawnSync(node24(), [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: withNode24(),
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.error || result.status === null || result.status > 1) {
    console.error(
      `\nThe demo stopped: harnessmith ${args.join(' ')} ended with ${result.error?.message ?? `exit code ${result.status}`}.`,
    );
    process.exit(result.status || 3);
  }
  return { text: result.stdout.trimEnd(), status: result.status };
}

/** The same, with the JSON document. */
export function harnessmithJson(folder, args) {
  return JSON.parse(harnessmith(folder, [...args, '--json']).text);
}

/** Indents a block and cuts it to some lines. */
export function show(text, lines = 40) {
  const all = text.split('\n');
  for (const line of all.slice(0, lines)) console.log(`   ${line}`);
  if (all.length > lines) console.log(`   ... ${all.length - lines} more lines`);
}
