import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const help = `npm run demo                                   the whole loop on the example
npm run demo -- --open                         open the workspace of the last run in VS Code
npm run demo -- --harness DIR [--traces DIR]   the first parts on your own repository
npm run demo -- --trials N                     repeats of each task (default 3)`;

/** Reads the options of the demo; ends the process with 2 on a wrong one. */
export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        open: { type: 'boolean', default: false },
        harness: { type: 'string' },
        traces: { type: 'string' },
        trials: { type: 'string', default: '3' },
        help: { type: 'boolean', default: false },
      },
    });
    if (!/^[1-9]\d{0,2}$/.test(values.trials)) throw new Error('--trials wants a number from 1 to 999');
    if (values.traces && !values.harness) throw new Error('--traces goes with --harness');
    for (const folder of [values.harness, values.traces]) {
      if (folder !== undefined && !existsSync(folder)) throw new Error(`${folder} does not exist`);
    }
    return {
      open: values.open,
      trials: Number(values.trials),
      harness: values.harness && resolve(values.harness),
      traces: values.traces && resolve(values.traces),
      help: values.help ? help : undefined,
    };
  } catch (error) {
    console.error(`${error.message}\n\n${help}`);
    process.exit(2);
  }
}
