import type { BoundaryRule, LibraryLoop } from '../language';

/** What Go harnesses call outside themselves; the first rule that fits wins. */
export const goBoundaries: readonly BoundaryRule[] = [
  {
    kind: 'model',
    names: /^(?:charm\.land|github\.com\/charmbracelet)\/fantasy\b.*\.(?:Stream|Generate|StreamObject|GenerateObject)$/,
  },
  {
    kind: 'model',
    names:
      /^github\.com\/(?:openai\/openai-go|anthropics\/anthropic-sdk-go|sashabaranov\/go-openai|cohere-ai\/cohere-go|liushuangls\/go-anthropic)\b.*\.(?:New|NewStreaming|Create\w*|Stream\w*|Chat\w*)$/,
  },
  {
    kind: 'model',
    names:
      /^(?:google\.golang\.org\/genai|github\.com\/google\/generative-ai-go\/genai|cloud\.google\.com\/go\/vertexai\/genai)\b.*\.(?:GenerateContent(?:Stream)?|SendMessage(?:Stream)?)$/,
  },
  { kind: 'model', names: /^github\.com\/ollama\/ollama\/api\b.*\.(?:Chat|Generate)$/ },
  {
    kind: 'model',
    names: /^github\.com\/tmc\/langchaingo\b.*\.(?:GenerateContent|GenerateFromSinglePrompt|Call|Run|Predict)$/,
  },
  {
    kind: 'model',
    names:
      /^github\.com\/(?:firebase\/genkit|cloudwego\/eino|google\/adk-go|mozilla-ai\/any-llm-go|teilomillet\/gollm)\b.*\.(?:Generate\w*|Stream|Run|Completion\w*)$/,
  },
  {
    kind: 'model',
    names: /^github\.com\/aws\/aws-sdk-go(?:-v2)?\/service\/bedrockruntime\b.*\.(?:InvokeModel|Converse)\w*$/,
  },
  {
    kind: 'process',
    names:
      /^os\/exec\.(?:Command|CommandContext|Cmd)(?:\.(?:Run|Start|Wait|Output|CombinedOutput|Process\.(?:Kill|Signal)))?$/,
  },
  { kind: 'process', names: /^(?:os\.StartProcess|os\.FindProcess\b.*|syscall\.(?:Kill|Exec|ForkExec|StartProcess))$/ },
  {
    kind: 'process',
    names:
      /^mvdan\.cc\/sh(?:\/v\d+)?\/interp\.New\.Run$|^mvdan\.cc\/sh(?:\/v\d+)?\/interp\.(?:Runner\.Run|DefaultExecHandler)$/,
  },
  {
    kind: 'process',
    names: /^github\.com\/creack\/pty\.\w+|^github\.com\/(?:aymanbagabas\/go-pty|charmbracelet\/x\/xpty)\b.*$/,
  },
  {
    kind: 'process',
    names:
      /^github\.com\/(?:docker\/docker|moby\/moby|docker\/go-sdk)\b.*\.(?:Container(?:Create|Start|Exec\w*|Attach|Wait|Stop|Kill)|ImagePull)$/,
  },
  {
    kind: 'process',
    names:
      /^(?:github\.com\/testcontainers|k8s\.io\/client-go|golang\.org\/x\/crypto\/ssh)\b.*\.(?:Run|Exec\w*|Start|CombinedOutput|Output|Stream)\w*$/,
  },
  {
    kind: 'filesystem',
    names:
      /^os\.(?:Open|OpenFile|Create|CreateTemp|ReadFile|WriteFile|ReadDir|Remove|RemoveAll|Rename|Mkdir|MkdirAll|MkdirTemp|Stat|Lstat|Chmod|Chtimes|Symlink|Link|Truncate|DirFS)$/,
  },
  {
    kind: 'filesystem',
    names:
      /^(?:path\/filepath\.(?:Walk|WalkDir|Glob)|io\/ioutil\.(?:ReadFile|WriteFile|ReadDir|TempDir|TempFile)|io\/fs\.\w+)$/,
  },
  {
    kind: 'filesystem',
    names:
      /^github\.com\/(?:spf13\/afero|bmatcuk\/doublestar|fsnotify\/fsnotify|charlievieth\/fastwalk)\b.*\.(?:\w*Glob\w*|\w*Walk\w*|NewWatcher|Open\w*|Create|ReadFile|WriteFile|ReadDir|Remove\w*|Rename|Mkdir\w*|Stat|Exists)$/,
  },
  { kind: 'filesystem', names: /^database\/sql\b.*\.(?:Open|Exec\w*|Query\w*|Begin\w*|Prepare\w*)$/ },
  {
    kind: 'network',
    names:
      /^net\/http(?:\.(?:DefaultClient|Client|Transport|DefaultTransport|RoundTripper|Server))*\.(?:Get|Post|PostForm|Head|Do|RoundTrip|ListenAndServe\w*|Serve)$|^net\.(?:Dialer\.)?(?:Dial|Listen)(?:Timeout|Context|TCP|UDP|Unix|Packet)?$/,
  },
  {
    kind: 'network',
    names:
      /^(?:github\.com\/(?:gorilla|coder)\/websocket|nhooyr\.io\/websocket|google\.golang\.org\/grpc|github\.com\/go-resty\/resty)\b.*\.(?:Dial\w*|Accept|Get|Post|Execute|NewClient|Invoke)$/,
  },
  { kind: 'clock', names: /^time\.(?:Now|Since|Until|Sleep|After|AfterFunc|NewTimer|NewTicker|Tick)$/ },
  {
    kind: 'random',
    names:
      /^(?:math\/rand(?:\/v2)?|crypto\/rand)\.\w+$|^github\.com\/(?:google\/uuid|gofrs\/uuid|rs\/xid|oklog\/ulid)\b.*\.(?:New\w*|Must|Make)$/,
  },
];

/** Libraries whose call repeats until the model asks for no more tools. */
export const goLibraryLoops: readonly LibraryLoop[] = [
  { call: /\/fantasy\.(?:NewAgent|Agent)\.(?:Stream|Generate)$/, tools: /(^|\.)WithTools$/ },
  { call: /\/(?:genkit|eino|adk-go)\b/, tools: /(^|\.)(WithTools|BindTools|WithToolCallingModel)$/ },
];

export const goBuiltinMethods: ReadonlySet<string> = new Set(
  (
    'Error String Lock Unlock RLock RUnlock TryLock Add Done Wait Load Store Swap CompareAndSwap Read Write Close Len Reset Bytes WriteString ' +
    'WriteByte WriteRune ReadString Seek Flush Err Deadline Value Unwrap Is As Before After Sub Unix UnixMilli Format Truncate Round Seconds ' +
    'Milliseconds Minutes Hours IsZero Equal Do Go Next Scan Text Get Set Del Values Join Less Swap Push Pop Marshal Unmarshal Encode Decode ' +
    'MarshalJSON UnmarshalJSON Cap Grow Count Stop Send Recv Name Size Mode ModTime IsDir Sys Info Type'
  ).split(' '),
);

export const goBuiltins: ReadonlySet<string> = new Set(
  (
    'append cap clear close complex copy delete imag len make max min new panic print println real recover bool byte complex64 complex128 error ' +
    'float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any nil true false iota'
  ).split(' '),
);
