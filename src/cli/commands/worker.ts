import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { workForQueue } from '../../core/validation';
import { type Answer, answerWith, newCommand } from '../command';
import { positive } from '../options';
import { queueAddress, queueVariable } from '../queueAddress';

export const WorkerDocument = z.object({ worker: z.string(), trials: z.int() });
type WorkerDocument = z.infer<typeof WorkerDocument>;

interface Options {
  redis?: string;
  postgres?: string;
  name: string;
  concurrency: string;
  heartbeat: string;
}

/** `harnessmith worker --redis URL`: makes trials for the runs of other machines until it is interrupted. */
export function workerCommand() {
  const command = newCommand('worker', 'execute trials for a queue, for runs that another machine started')
    .option('--redis <url>', `redis:// or rediss:// address of the queue; that of ${queueVariable} when absent`)
    .option('--postgres <url>', 'postgres:// address of the queue')
    .option('--name <name>', 'name of this worker; each on a machine needs its own', hostname())
    .option('--concurrency <number>', 'trials at once', '2')
    .option('--heartbeat <seconds>', 'a worker without a sign of life for so long is taken for dead', '30');
  answerWith(command, async (context): Promise<Answer<WorkerDocument>> => {
    const options = command.opts<Options>();
    if (!/^[\w.-]{1,60}$/.test(options.name) || options.name.startsWith('.')) {
      throw new InputError(`"${options.name}" is no name of a worker.`, {
        code: 'usage',
        nextStep: 'Use letters, digits, dots and dashes.',
      });
    }
    let trials = 0;
    context.note(`Worker ${options.name} takes trials until Ctrl+C. It runs what the queue says.`);
    await workForQueue({
      address: queueAddress(options.redis ?? options.postgres, '--redis'),
      folder: join(cacheFolder(), `worker-${options.name}`),
      name: options.name,
      concurrency: positive(options.concurrency, '--concurrency'),
      heartbeatSeconds: positive(options.heartbeat, '--heartbeat'),
      signal: context.signal,
      onTrial: (text) => context.note(text),
      onMade: () => trials++,
    });
    return { document: { worker: options.name, trials }, text: `Worker ${options.name} made ${trials} trials.` };
  });
  return command;
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'harnessmith');
}
