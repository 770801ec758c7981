import type { BoundaryRule } from '../language';

/** What TypeScript and JavaScript harnesses call outside themselves; the first rule that fits wins. */
export const typeScriptBoundaries: readonly BoundaryRule[] = [
  {
    kind: 'model',
    names:
      /^(openai|@anthropic-ai\/[\w-]+|groq-sdk|together-ai|@mistralai\/mistralai|cohere-ai|ollama|@azure\/openai)\b.*\.(create|stream|parse|complete|chat|generate|runTools)$/,
  },
  {
    kind: 'model',
    names:
      /^(@google\/(genai|generative-ai)|@google-cloud\/vertexai)\b.*\.(generateContent|generateContentStream|sendMessage|sendMessageStream)$/,
  },
  { kind: 'model', names: /(^|\.)(streamText|generateText|streamObject|generateObject|streamSimple|completeSimple)$/ },
  { kind: 'model', names: /^@mariozechner\/pi-ai\.(stream|complete)\w*$/ },
  { kind: 'model', names: /^@aws-sdk\/client-bedrock-runtime\b.*\.send$/ },
  { kind: 'model', names: /^@langchain\/[\w-]+\b.*\.(invoke|stream|generate|batch)$/ },
  {
    kind: 'process',
    names: /^child_process\.(spawn|exec|execFile|fork|spawnSync|execSync|execFileSync|default\.\w+)$/,
  },
  {
    kind: 'process',
    names:
      /^(execa\b.*|cross-spawn\b.*|zx\..*|node-pty\.spawn|@lydell\/node-pty\.spawn|shelljs\..*|process\.kill|Bun\.(spawn|spawnSync|\$)|Deno\.(Command|run)|eval|tinyexec\..*)$/,
  },
  {
    kind: 'process',
    handles: true,
    names:
      /^(dockerode|ssh2|e2b|@e2b\/[\w-]+|modal|@daytonaio\/sdk)\b.*\.(run|exec|start|create|execute|runCode|connect)$/,
  },
  { kind: 'filesystem', names: /^(fs|fs\/promises|fs-extra|graceful-fs|memfs)\.(?!constants)[\w.]+$/ },
  { kind: 'filesystem', names: /^(glob|fast-glob|globby|tmp|tmp-promise|rimraf|chokidar)\b.*$/ },
  { kind: 'filesystem', names: /^Bun\.(file|write)$/ },
  {
    kind: 'network',
    names:
      /^(fetch|globalThis\.fetch|undici\..*|axios\b.*|got\b.*|node-fetch\b.*|ky\b.*|https?\.(request|get|createServer)|net\.\w+|ws\b.*|WebSocket|EventSource|XMLHttpRequest)$/,
  },
  {
    kind: 'clock',
    names:
      /^(Date\.now|Date|performance\.now|setTimeout|setInterval|timers\/promises\.\w+|process\.hrtime\b.*|process\.uptime)$/,
  },
  {
    kind: 'random',
    names:
      /^(Math\.random|crypto\.(random\w+|getRandomValues|default\.random\w+)|globalThis\.crypto\.\w+|uuid\.v\d|nanoid\.\w+)$/,
  },
];

export const typeScriptBuiltinMethods: ReadonlySet<string> = new Set(
  (
    'push pop shift unshift slice splice concat join map filter forEach reduce reduceRight some every find findIndex findLast findLastIndex ' +
    'includes indexOf lastIndexOf sort reverse flat flatMap fill keys values entries at with toSorted toReversed get set has delete clear add ' +
    'size charAt charCodeAt codePointAt startsWith endsWith padStart padEnd repeat replace replaceAll search split substring substr trim ' +
    'trimStart trimEnd toLowerCase toUpperCase toString toFixed valueOf match matchAll test exec then catch finally call apply bind toISOString ' +
    'getTime json text arrayBuffer on off once emit addListener removeListener removeAllListeners addEventListener removeEventListener ' +
    'dispatchEvent write end pipe destroy close next return throw resolve reject log warn error info debug normalize localeCompare ' +
    'hasOwnProperty toJSON abort getReader read cancel unref ref kill setEncoding parse stringify describe optional default min max'
  ).split(' '),
);

export const typeScriptBuiltins: ReadonlySet<string> = new Set(
  (
    'Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Float32Array Float64Array FormData Function Headers Infinity Int8Array ' +
    'Int16Array Int32Array Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Request Response ' +
    'Set String Symbol SyntaxError TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint8Array Uint16Array Uint32Array ' +
    'WeakMap WeakRef WeakSet AbortController AbortSignal AggregateError Blob Event EventTarget File ReadableStream WritableStream TransformStream ' +
    'WebSocket EventSource atob btoa clearImmediate clearInterval clearTimeout console crypto decodeURI decodeURIComponent document encodeURI encodeURIComponent eval ' +
    'exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt performance process queueMicrotask require ' +
    'setImmediate setInterval setTimeout structuredClone window undefined arguments Bun Deno DOMException __dirname __filename import'
  ).split(' '),
);

/** `openai` and `default` become `openai`; the `node:` prefix is dropped. */
export function typeScriptExternalName(module: string, name: string): string {
  const plain = module.replace(/^node:/, '');
  return name === '*' || name === 'default' ? plain : `${plain}.${name}`;
}
