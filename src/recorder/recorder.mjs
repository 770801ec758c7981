// Records which functions of a harness run, between which model calls, in a Node process that `harnessmith record` made.
// Function counts come from V8's precise coverage, taken whenever a request to a model starts or is answered. No argument or
// value is looked at; of request bodies only whether their keys are those of a model call. See docs/links.md for the format.
import { appendFileSync, readFileSync, realpathSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const longestBody = 8 * 1024 * 1024;
const modelPath =
  /\/(chat\/completions|completions|responses|messages|generateContent|streamGenerateContent|converse|invoke|api\/(chat|generate))\b/;

const settingsFile = process.env.HARNESSMITH_RECORDING;
if (settingsFile) {
  try {
    start(JSON.parse(readFileSync(settingsFile, 'utf8')));
  } catch (error) {
    // A recording that fails must not stop the program that is recorded.
    process.stderr.write(
      `harnessmith: this process is not recorded: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}

function start({ out, roots }) {
  const folders = roots.map((root) => realpathSync(root) + sep);
  const file = join(out, `node-${process.pid}-${threadId}-${Date.now()}.jsonl`);
  const session = new Session();
  session.connect();
  const post = (method, parameters) => {
    let answer;
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(error.message);
      answer = result;
    });
    return answer;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  const lines = new Map();
  const functions = new Map();
  const state = { phase: 'before', call: 0, since: Date.now() / 1000, open: 0 };
  const write = (records) => {
    appendFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''), { mode: 0o600 });
  };
  write([{ kind: 'process', language: 'node', pid: process.pid, parent: process.ppid, started: Date.now() / 1000 }]);

  /** Path of a script of the harness; undefined for others. */
  function ownFile(url) {
    if (!url.startsWith('file://')) return undefined;
    const path = fileURLToPath(url.replace(/[?#].*$/, ''));
    const inside = folders.some((folder) => path.startsWith(folder));
    return inside && !/[\\/](node_modules|\.harnessmith)[\\/]/.test(path) ? path : undefined;
  }

  function lineAt(path, offset) {
    let starts = lines.get(path);
    if (!starts) {
      starts = [0];
      const text = readFileSync(path, 'utf8');
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
      lines.set(path, starts);
    }
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Writes what ran since the last time as a window and opens the next. */
  function close(phase, call) {
    const { result } = post('Profiler.takePreciseCoverage');
    const records = [];
    const counts = [];
    for (const script of result) {
      const path = ownFile(script.url);
      if (!path) continue;
      for (const { functionName, ranges } of script.functions) {
        const [range] = ranges;
        // The script itself is a function too.
        if (!range || range.count === 0 || (functionName === '' && range.startOffset === 0)) continue;
        const key = `${script.url}:${range.startOffset}`;
        let id = functions.get(key);
        if (id === undefined) {
          id = functions.size + 1;
          functions.set(key, id);
          records.push({ kind: 'function', id, file: path, name: functionName, line: lineAt(path, range.startOffset) });
        }
        counts.push([id, range.count]);
      }
    }
    const now = Date.now() / 1000;
    if (counts.length > 0 || phase !== state.phase || call !== state.call) {
      records.push({
        kind: 'window',
        stream: `${process.pid}-${threadId}`,
        phase: state.phase,
        call: state.call,
        from: state.since,
        to: now,
        functions: counts,
      });
    }
    if (records.length > 0) write(records);
    Object.assign(state, { phase, call, since: now });
  }

  // A request that fails is tried again: it is the same call.
  const begin = () => {
    if (state.open === 0 && state.phase !== 'model') close('model', state.call + 1);
    state.open += 1;
  };
  const end = (answered) => {
    state.open -= 1;
    if (state.open === 0 && answered) close('after', state.call);
  };
  watchFetch(begin, end);
  watchHttp(http, begin, end);
  watchHttp(https, begin, end);
  // Named imports of the modules above see the new functions too.
  syncBuiltinESMExports();
  process.on('exit', () => close(state.phase, state.call));
}

/** Whether a request asks a model: by its path and the keys of its body, never by its host. */
function asksModel(url, method, body) {
  if (String(method ?? 'GET').toUpperCase() !== 'POST' || !modelPath.test(String(url))) return false;
  if (typeof body !== 'string' || body.length > longestBody) return true;
  return /"(messages|input|contents|prompt)"\s*:/.test(body);
}

function watchFetch(begin, end) {
  const original = globalThis.fetch;
  if (typeof original !== 'function') return;
  globalThis.fetch = async function fetch(input, init) {
    const url = typeof input === 'object' && input !== null && 'url' in input ? input.url : input;
    const method = init?.method ?? (typeof input === 'object' && input !== null ? input.method : undefined);
    if (!asksModel(url, method, init?.body)) return original(input, init);
    begin();
    let answered = false;
    try {
      const response = await original(input, init);
      answered = response.ok;
      return response;
    } finally {
      end(answered);
    }
  };
}

function watchHttp(module, begin, end) {
  const original = module.request;
  module.request = function request(...parameters) {
    const made = original.apply(this, parameters);
    if (asksModel(made.path, made.method, undefined)) {
      begin();
      let ended = false;
      const once = (answered) => {
        if (!ended) end(answered);
        ended = true;
      };
      made.once('response', (response) => once(response.statusCode < 400));
      made.once('close', () => once(false));
      made.once('error', () => once(false));
    }
    return made;
  };
}
