import { createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import { EnvironmentError, InputError, messageOf } from '../../errors';

/** The part of a queue of BullMQ that is used, whatever keeps it. */
export interface TaskQueue {
  add(name: string, data: unknown, options: { jobId: string; attempts?: number }): Promise<unknown>;
  getJob(id: string): Promise<TaskRecord | undefined>;
  remove(id: string): Promise<number>;
  close(): Promise<void>;
}

export interface TaskRecord {
  data: unknown;
  returnvalue: unknown;
  failedReason?: string;
  finishedOn?: number;
}

/** Does tasks one by one; `close` waits for those under way. */
export interface TaskWorker {
  close(force?: boolean): Promise<void>;
}

export interface WorkerSettings {
  concurrency: number;
  name: string;
  /** A worker that gives no sign for so long has died, and its tasks go to others. */
  heartbeatSeconds: number;
  onError(error: Error): void;
}

/** Opens queues and workers at one address. */
export interface QueueConnection {
  /** The address without its password, for people. */
  shown: string;
  queue(name: string): TaskQueue;
  worker(name: string, work: (data: unknown) => Promise<unknown>, settings: WorkerSettings): TaskWorker;
}

/**
 * Connects to Redis (`redis://`, with TLS `rediss://`) or PostgreSQL (`postgres://`). User and password stand in the address.
 * @throws InputError for other addresses.
 */
export function connectTo(address: string): QueueConnection {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = url?.protocol.replace(/:$/, '') ?? '';
  if (url === undefined || !/^(rediss?|postgres(ql)?)$/.test(kind)) {
    throw new InputError(`"${address.replace(/:[^:@/]*@/, ':***@')}" is no address of a queue.`, {
      code: 'queue-address',
      nextStep: 'Give redis://HOST:PORT, rediss://USER:PASSWORD@HOST:PORT or postgres://USER:PASSWORD@HOST/DATABASE.',
    });
  }
  if (url.password) url.password = '***';
  const shown = url.toString();
  return kind.startsWith('redis') ? onRedis(address, shown) : onPostgres(address, shown);
}

function onRedis(address: string, shown: string): QueueConnection {
  // Null: a command waits for Redis to come back instead of failing.
  const connection = { url: address, maxRetriesPerRequest: null };
  return {
    shown,
    queue(name) {
      const queue = new Queue(name, { connection, defaultJobOptions: keep });
      queue.on('error', ignoreWhileReconnecting);
      return queue;
    },
    worker(name, work, settings) {
      const worker = new Worker(name, ({ data }) => work(data), { connection, ...optionsOf(settings) });
      worker.on('error', settings.onError);
      return worker;
    },
  };
}

function onPostgres(address: string, shown: string): QueueConnection {
  const classes = withBackend(createPostgresBackend);
  // Without the first setting the tables would have to be made by hand.
  const connection = { connectionString: address, migrate: true };
  return {
    shown,
    queue(name) {
      const queue = new classes.Queue(name, { connection, defaultJobOptions: keep });
      queue.on('error', ignoreWhileReconnecting);
      return queue as unknown as TaskQueue;
    },
    worker(name, work, settings) {
      const worker = new classes.Worker(name, ({ data }) => work(data), {
        connection,
        ...optionsOf(settings),
      });
      worker.on('error', settings.onError);
      return worker;
    },
  };
}

/** Results stay until the run has taken them. */
const keep = { removeOnComplete: false, removeOnFail: false };

function optionsOf({ concurrency, name, heartbeatSeconds }: WorkerSettings) {
  const milliseconds = heartbeatSeconds * 1000;
  return {
    concurrency,
    name,
    lockDuration: milliseconds,
    stalledInterval: milliseconds,
    // A trial is made again as often as its worker dies; what it did elsewhere is thrown away with that machine.
    maxStalledCount: 100,
  };
}

/** The client reconnects by itself; what waits for it goes on then. */
function ignoreWhileReconnecting(): void {}

/**
 * Waits until the queue answers.
 * @throws EnvironmentError when it does not within the time.
 */
export async function requireAnswer(connection: QueueConnection, queue: TaskQueue, seconds = 15): Promise<void> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer in ${seconds} s`)), seconds * 1000).unref();
  });
  try {
    await Promise.race([queue.getJob('none'), timeout]);
  } catch (error) {
    throw new EnvironmentError(`The queue at ${connection.shown} cannot be used: ${messageOf(error)}`, {
      code: 'queue-unreachable',
      nextStep: 'Check the address, the password and that the server runs.',
      cause: error,
    });
  }
}
