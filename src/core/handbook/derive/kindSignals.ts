import type { UnitKind } from '../model';
import { careSignals } from './careSignals';

/** What speaks for a kind in names and text. Names are words in lower case, joined with one space. */
export interface KindSignals {
  kind: UnitKind;
  /** Names of functions with their weight; the best match counts. */
  names: [RegExp, number][];
  /** Words of a class or file. */
  home?: RegExp;
  /** First sentence of the comment. */
  doc?: RegExp;
  /** Body of the function; `alone` is its weight where no name says anything. */
  text?: { pattern: RegExp; weight: number; alone?: number };
  /** Words of a class, file or folder where the same names mean something else. */
  notHome?: RegExp;
  /** Names that only sound like it. */
  not?: RegExp;
  /** Least score of a candidate; see `candidates.ts`. */
  least?: number;
}

/** Kinds of the way of a turn: from configuration over the prompt to the observation. */
const turnSignals: KindSignals[] = [
  {
    kind: 'config_load',
    names: [
      [
        /^(load|read|get|parse|merge|resolve|init|build)( \w+){0,2} (configs?|configuration|settings)( from( \w+)?)?$/,
        3,
      ],
      [/^(read|load|parse|from (env|file|toml|yaml|args))$/, 1.6],
      [/^(deep|recursive)? ?merge( \w+)? (settings|configs?)$/, 2.5],
      [/^(load|setup)$/, 0.8],
      [/\b(resolve|load|parse)( \w+){0,2} (options|tasks|arguments|args)\b/, 1.5],
      [/\b(configs?|configuration|settings)\b/, 1],
    ],
    home: /^(\w+ )?(configs?|configuration|settings)( (loader|manager|reader|service|store|resolver))?$/,
    text: {
      pattern: /\b(?:yaml|toml|json)\w*\.(?:safe_load|load|loads|parse|Unmarshal)\b|recursive_merge|deepMerge|merge/i,
      weight: 1,
    },
    not: /\b(path|dir|schema|keys?|validate|write|save|set|mcp|error|provider|model|theme|azure|tool|env|feature|agent|call|from config|replay|checkpoint|loop)\b/,
  },
  {
    kind: 'prompt_assembly',
    names: [
      [
        /\b(build|make|assemble|render|create|compose|prepare|get|generate|construct)( \w+)? (system )?(prompts?|system message|instructions)$/,
        3,
      ],
      [
        /\b(build|prepare|assemble|compose|create|make|construct)( \w+){0,2} (messages|context|conversation|history|query|input)$/,
        2.5,
      ],
      [
        /\bprompt to \w+|\brender( \w+)? template\b|\btemplate vars\b|\b(system|instance|initial|user) (prompt|message)s?\b/,
        2,
      ],
      [/\bprompts?\b|\btemplated? messages\b/, 1.2],
    ],
    home: /^((system|base) )?prompts?( (builder|manager|service|provider|assembly))?$|^context (builder|assembly)$/,
    text: {
      pattern: /role['"]?\s*[:=]\s*['"]system['"]|system_?(?:prompt|message|template|instruction)|You are an?\b/i,
      weight: 1.2,
    },
    not: /\b(summary|summari[sz]\w*|compact\w*|commit|title|branch|confirm|ask|user input|dir|file|path|name|id|check|validate|suggestion|hook)\b/,
  },
  {
    kind: 'retry',
    names: [
      [
        /^(handle|with|run with|call with|execute with|perform)?( \w+)? ?(retry|retries|backoff|retrying|retryable error)( \w+){0,2}$/,
        2.5,
      ],
      [/\bretry\b.*\b(config|policy|request|call)\b|\bfailover\b|\bwrap model call\b|^on retry$/, 2.2],
      [/\bretry\w*\b|\bretries\b|\bback ?off\b|\bfallback\b/, 1.5],
    ],
    home: /^(\w+ )?(retry|retries|backoff|failover|fallback)( (handler|policy|utils|middleware))?$/,
    text: {
      pattern:
        /\b(?:tenacity|Retrying|wait_exponential|stop_after_attempt|backoff|pRetry)\b|\battempts?\s*(?:\+\+|\+=|<)/,
      weight: 1.2,
      alone: 1.2,
    },
    not: /\b(format|parse|delay|header|is|should|can|get|set|reset|count|enabled|status|button|template|log|fields|warning|usage|tokens|estimate)\b/,
  },
  {
    kind: 'response_parse',
    names: [
      [
        /^parse\b.*\b(actions?|responses?|tool ?calls?|commands?|completion|outputs?|thought|reply|answer|function calls?)$/,
        3,
      ],
      [/\bextract\b.*\b(actions?|commands?|tool calls?|code blocks?|function calls?)\b/, 2.6],
      [/\b(get|to)\b.*\b(tool calls?|actions)$|\bparse\b.*\b(actions?|responses?|tool ?calls?)\b/, 2],
      [/^parse( response| output| message)?$/, 1.5],
    ],
    home: /^(\w+ )*(parse function|(response|output|action|message|assistant message) pars(er|ing))$/,
    text: { pattern: /tool_?calls?|function_?calls?|re\.findall|regex|actions?/i, weight: 0.6 },
    not: /\b(error|header|config|args|arguments|options|cli|url|date|token|usage|file|run|payload|hook|code|claude|slash|stdio|git|json)\b/,
  },
  {
    kind: 'tool_registry',
    names: [
      [
        /^(create|build|make|get|load|register|list|collect|install|init\w*|resolve|refresh|discover|setup)( \w+){0,2} (tools|tool ?set|tool registry|tool defs?|tool definitions)$/,
        3,
      ],
      [/\btool (registry|schemas|specs|definitions|descriptors|defs)$/, 2.5],
      [/\bregister( \w+)? tools?\b|\bbundles?\b|^tools$|^commands$/, 1.8],
    ],
    home: /^tools?( (registry|registrar|set|manager|definitions?|def|factory|config))?$/,
    text: {
      pattern: /\btools?\b[^\n]*\[|\bcreate\w*Tool\(|\btools?\.(?:append|push|set|extend)\(|append\(\w*[tT]ools?/,
      weight: 1,
    },
    not: /\b(mcp|info|version|call|calls|choice|result|use|active|count|tokens?|param|name|from|validate|format|render|to mcp|hidden|allowed)\b/,
  },
  {
    kind: 'tool_dispatch',
    names: [
      [
        /^(execute|run|call|invoke|dispatch|handle|perform|process)( \w+)? (actions?|tools?|tool calls?|function calls?|tool uses?)( \w+)?$/,
        3,
      ],
      [/\b(execute|run|invoke|prepare)( prepared)? tool( call)?s?\b|\bdispatch( \w+)? (tools?|actions?)\b/, 2.6],
      [/\bexecute\b|\bdispatch\b/, 1],
    ],
    home: /^(tool|action) (executor|dispatcher|scheduler|runner|handler|call handler|execution)$|^core tool scheduler$|^executor$/,
    not: /\b(parallel|sequential|render|format|count|hook|should|is|can|on|message|results?|error)\b/,
  },
  {
    kind: 'permission',
    names: [
      [
        /\b(ask|request|check|require|needs?|should|apply|get|await|prompt)( \w+)? (confirm|confirmation|permissions?|approvals?)\b/,
        3,
      ],
      [
        /\bask (confirmation|permission|approval)\b|\b(is|should)( \w+)? (allowed|blocked|safe command|dangerous)\b|\bshould block\b/,
        2.5,
      ],
      [/\bsecurity (analy[sz]er|analysis|risk|check)\b|\brisk (level|assessment|analy[sz]er)\b/, 2],
      [/\bpermissions?\b|\bapprov(e|al|als)\b|\bwhite ?list\b|\bblock ?list\b|\bconfirmation\b/, 1.5],
    ],
    home: /^(\w+ )?(permissions?|approvals?|policy|policies|guardrails?|policy engine|confirmation)( (service|manager|handler|apply|engine))?$/,
    not: /\b(get|set|render|format|dialog|view|denied|read|parse|list|clear|skip|auto|sub|notify)\b/,
  },
  {
    kind: 'observation',
    names: [
      [
        /\b(format|render|make|create|shape|build|emit|convert|add|append)( \w+){0,2} (observations?|tool results?|tool outputs?|tool response)( \w+)?$/,
        3,
      ],
      [
        /^(in )?to tool (outputs?|results?)$|^process observations?$|\bobservation messages?\b|\btool result messages?\b|\b(convert|format) to( \w+)? (tool result|response)\b|\btool call outcome\b/,
        2.8,
      ],
      [/\bformat (output|result|command output)\b|\bcall tool task\b/, 2],
      [/\bobservations?\b|\btool results?\b/, 1.4],
    ],
    home: /^(observation|tool result|tool output)s?( (formatter|handler|shaping|messages?))?$/,
    text: {
      pattern:
        /role['"]?\s*[:=]\s*['"](?:tool|toolResult|tool_result)['"]|ChatMessageTool\(|ToolMessage\(|type['"]?\s*:\s*['"]tool_result['"]|functionResponse|observation\w*template/,
      weight: 1.6,
      alone: 1.6,
    },
    not: /\b(is|has|normalize|elide|remove|filter|count|metadata|error|truncate|last|parse|delete|hook|pair|orphan|missing)\b/,
  },
];

/** Signals by kind. */
export const signalsOf: ReadonlyMap<UnitKind, KindSignals> = new Map(
  [...turnSignals, ...careSignals].map((signals) => [signals.kind, signals]),
);
