import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { openEndpoint } from '../src/endpoint.ts';
import { bench, printBench, recordTraces } from './bench.ts';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const usageText = `usage: node measure/main.ts bench         [--seeds 1,2,3] [--tasks a,b] [--json FILE]
       node measure/main.ts record-traces --out DIR [--seeds 1,2,3] [--tasks a,b]

  --config FILE, --prompts DIR, --base-url URL, --model NAME as in src/main.ts`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    tasks: { type: 'string' },
    json: { type: 'string' },
    out: { type: 'string' },
    config: { type: 'string', default: join(home, 'config.json') },
    prompts: { type: 'string', default: join(home, 'prompts') },
    'base-url': { type: 'string' },
    model: { type: 'string' },
  },
});

// Leaving through exit() ends running commands and removes the work folder.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const command = positionals.join(' ');
const seeds = values.seeds.split(',').map(Number);
if (!seeds.every(Number.isInteger) || !(command === 'bench' || (command === 'record-traces' && values.out))) {
  console.error(usageText);
  process.exit(2);
}
const config = loadConfig(values.config);
config.model.name = values.model ?? process.env.TINKER_MODEL ?? config.model.name;
const endpoint = await openEndpoint(values['base-url']);
const { baseUrl, apiKey } = endpoint;
const tasksDir = join(home, 'tasks');
const options = {
  config,
  promptsDir: values.prompts,
  baseUrl,
  apiKey,
  tasksDir,
  tasks: values.tasks?.split(','),
  seeds,
};
try {
  const rows = values.out && command !== 'bench' ? await recordTraces(options, values.out) : await bench(options);
  await printBench(rows, values.json);
} finally {
  await endpoint.close();
}
