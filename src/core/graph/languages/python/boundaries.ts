import type { BoundaryRule } from '../language';

/** What Python harnesses call outside themselves; the first rule that fits wins. */
export const pythonBoundaries: readonly BoundaryRule[] = [
  {
    kind: 'model',
    names: /^litellm\.(a?completion|a?text_completion|a?responses|acompletion|batch_completion|Router\.a?completion)/,
  },
  {
    kind: 'model',
    names:
      /^(openai|anthropic|groq|together|mistralai|cohere|ollama|portkey_ai|zhipuai)\b.*\.(create|acreate|parse|stream|complete|chat|generate|chat_completion)$/,
  },
  {
    kind: 'model',
    names:
      /^(google\.genai|google\.generativeai|vertexai)\b.*\.(generate_content|generate_content_stream|send_message)(_async)?$/,
  },
  {
    kind: 'model',
    names:
      /^(langchain\w*|llama_index|dspy|guidance|instructor|transformers|vllm|huggingface_hub|ai21)\b.*\.(invoke|ainvoke|stream|astream|generate|chat|complete|predict|create|chat_completion|text_generation)$/,
  },
  { kind: 'model', names: /^boto3\b.*\.(invoke_model|converse|invoke_model_with_response_stream|converse_stream)$/ },
  {
    kind: 'process',
    names:
      /^(subprocess(?!\.(CompletedProcess|TimeoutExpired|CalledProcessError|SubprocessError|list2cmdline))|pexpect|pty|asyncio\.subprocess|sh|plumbum|invoke|fabric|paramiko)\./,
  },
  { kind: 'process', names: /^os\.(system|popen|exec\w*|spawn\w*|fork|forkpty|posix_spawn\w*|kill|killpg)$/ },
  {
    kind: 'process',
    names: /^(asyncio\.create_subprocess_(exec|shell)|anyio\.(run_process|open_process)|trio\.run_process|exec|eval)$/,
  },
  {
    kind: 'process',
    handles: true,
    names:
      /^(docker|modal|e2b\w*|daytona\w*|swerex|libtmux|kubernetes|podman|dockerfile)\b.*\.(run|exec\w*|create|send_keys|start|execute|run_in_session|run_code|from_env|containers|remote|Sandbox)$/,
  },
  { kind: 'filesystem', names: /^(open|io\.open|codecs\.open|aiofiles\.open|tempfile\.\w+|shutil\.\w+|glob\.\w+)$/ },
  {
    kind: 'filesystem',
    names:
      /^os\.(remove|unlink|rename|replace|mkdir|makedirs|rmdir|removedirs|listdir|scandir|walk|chmod|symlink|link|truncate|open|stat|path\.(exists|isfile|isdir|getsize|getmtime))$/,
  },
  {
    kind: 'filesystem',
    names:
      /^pathlib\.Path\b.*\.(read_text|write_text|read_bytes|write_bytes|open|mkdir|unlink|rename|replace|touch|exists|iterdir|glob|rglob|is_file|is_dir|rmdir|stat)$/,
  },
  {
    kind: 'network',
    names: /^(requests|httpx|aiohttp|urllib\d?|urllib\.request|http\.client|socket|websockets?|grpc)\b.*\.\w+$/,
  },
  {
    kind: 'clock',
    names:
      /^(time\.(time|sleep|monotonic|perf_counter|time_ns|strftime)|asyncio\.sleep|datetime\.datetime\.(now|utcnow|today)|datetime\.(now|utcnow|today)|anyio\.sleep)$/,
  },
  { kind: 'random', names: /^(random\.\w+|secrets\.\w+|uuid\.uuid\d|os\.urandom|numpy\.random\b.*)$/ },
];

export const pythonBuiltinMethods: ReadonlySet<string> = new Set(
  (
    'append extend insert remove pop clear index count sort reverse copy get keys values items update setdefault popitem add discard ' +
    'union intersection difference issubset issuperset join split rsplit splitlines strip lstrip rstrip startswith endswith replace find ' +
    'rfind lower upper title capitalize casefold center ljust rjust zfill encode decode format isdigit isalpha isalnum isspace partition ' +
    'rpartition translate expandtabs read write readline readlines writelines close flush seek tell group groups groupdict match search ' +
    'sub findall finditer fullmatch span send throw result done cancel cancelled info debug warning error exception critical log ' +
    'start end stop terminate kill poll shutdown acquire release wait set is_set isoformat strftime timestamp total_seconds exists is_file is_dir mkdir resolve open'
  ).split(' '),
);

export const pythonBuiltins: ReadonlySet<string> = new Set(
  (
    'abs aiter all any anext ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod ' +
    'enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len ' +
    'list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted ' +
    'staticmethod str sum super tuple type vars zip Exception ValueError TypeError KeyError IndexError RuntimeError StopIteration ' +
    'NotImplementedError AttributeError OSError IOError FileNotFoundError TimeoutError PermissionError ImportError AssertionError ' +
    'KeyboardInterrupt SystemExit BaseException ConnectionError UnicodeDecodeError LookupError ArithmeticError ZeroDivisionError ' +
    'ModuleNotFoundError StopAsyncIteration EOFError NameError MemoryError RecursionError ExceptionGroup GeneratorExit __import__'
  ).split(' '),
);
