import type { UnitKind } from '../model';

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
  /** Names that only sound like it. */
  not?: RegExp;
  /** Least score of a candidate; see `candidates.ts`. */
  least?: number;
}

const kindSignals: KindSignals[] = [
  {
    kind: 'config_load',
    names: [
      [
        /^(load|read|get|parse|merge|resolve|init|build)( \w+){0,2} (configs?|configuration|settings)( from( \w+)?)?$/,
        3,
      ],
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
        /\bobservation messages?\b|\btool result messages?\b|\b(convert|format) to( \w+)? (tool result|response)\b|\btool call outcome\b/,
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
  {
    kind: 'truncation',
    names: [
      [
        /^truncate( \w+){0,2} (outputs?|observation|results?|content|text|tail|head|lines)$|^(limit|cap|shorten)( \w+)? (output|text|lines|observation|result)$/,
        3,
      ],
      [/^truncate( head| tail| middle| if needed)$/, 2.4],
      [/^truncate$/, 1.8],
      [/\btruncat(e|ed|es|ion|or)\b|\belide(d)?\b|\bclip (output|text|lines)\b/, 1.6],
      [/^after tool( call)?$|^process (output|result)$|\bmask\w* output\b/, 0.8],
    ],
    home: /^(\w+ )*(truncat(e|ion|or|ing)|output limiter|long tool output|tool output( \w+)?)( middleware| utils)?$/,
    doc: /\b(?:truncates?|cuts?|shortens?)\b.*\b(?:output|text|lines|observation|result)\b/i,
    text: {
      pattern: /truncated|elided|omitted|\bchars? (?:removed|hidden)|max_?(?:observation|output)_?\w*/i,
      weight: 1.2,
    },
    not: /\b(title|error|name|path|label|display|summary|width|log|traceback|url|id|date|branch|preview|render|visual|string to width|history|date|is|was|to width|filename|for log)\b/,
  },
  {
    kind: 'compaction',
    names: [
      [
        /^(auto |run |do |perform |try |maybe |force |handle |check )*(compact|compaction|condense|summari[sz]e)( (history|context|messages|conversation|session|if needed|chat|thread))*$/,
        3,
      ],
      [
        /\bcompact(s|ion|ed)?\b|\bcondens(e|er|ation)\b|\bsummari[sz](e|er|ation)\b.*\b(history|context|messages|conversation|session)\b/,
        2.2,
      ],
      [
        /\b(prune|trim|shrink|elide|drop|last n)\b.*\b(history|context|messages|observations)\b|\bsummari[sz](e|er|ation)\b/,
        1.6,
      ],
    ],
    home: /^(\w+ )*(compact\w*|compression|compressor|condensers?|summari[sz]ers?|history processors?|last n observations|context compaction)( (middleware|service|strategy|manager|utils|stratigies))?$/,
    doc: /\b(?:summari[sz]es?|compacts?|condenses?|elides?)\b.*\b(?:conversation|history|context|messages|observations)\b/i,
    text: { pattern: /\bsummar|messages|history|token/i, weight: 0.6 },
    not: /\b(branch|stop|is|settings|categories|title|render|extract|to|from|content|icon|status|display|format|view)\b/,
  },
  {
    kind: 'format_error',
    names: [
      [
        /\bformat errors?\b|\b(malformed|requery|reprompt)\b|\b(tool )?parse (error|failure)\b|\bparse error message\b/,
        3,
      ],
      [
        /\b(create|make|build) error tool result\b|\bsanitize( \w+)? (tool )?(input|call|arguments)\b|\b(invalid|unknown) (tool|action|arguments|response)\b/,
        2.4,
      ],
      [/\brepair\b|\bvalidat\w+( \w+)? (tool|arguments|response|call)\b/, 1],
    ],
    home: /^(format|parse|parsing) errors?( handler)?$/,
    text: {
      pattern:
        /\b(?:FormatError|ParseError|ToolParsingError|JSONDecodeError|ValidationError|malformed|invalid (?:json|format|tool|action))/i,
      weight: 1,
    },
    not: /\b(http|provider|oauth|display|render|log|response error|details)\b/,
  },
  {
    kind: 'limits',
    names: [
      [
        /\b(check|enforce|assert|over|within|exceeds?|exceeded)( \w+)? (limits?|budgets?)\b|\blimits?( \w+)? (exceeded|reached|check)\b/,
        3,
      ],
      [
        /\b(time|cost|budget|turns?|steps?) (exceeded|limit reached)\b|\brepeated tool calls\b|\bloop detect\w*\b|\bdetect\w* loop\b|\bis stuck\b/,
        2.6,
      ],
      [/\bcheck\b.*\b(timeout|turns|iterations)\b|\bmax (turns|steps|iterations)\b/, 1.6],
    ],
    home: /^limits?$|^(loop|stuck) detect\w*( service)?$|^budget( \w+)?$/,
    text: { pattern: /\b(?:raise|throw)\b[^\n]*(?:Limit|Budget|Exceeded|MaxTurns|MaxSteps)/, weight: 1.4 },
    not: /\b(rate|output|context|token limit for|get|set|format|line|size|file|parse|model|reset|rps|concurrency)\b/,
  },
  {
    kind: 'trajectory',
    names: [
      [
        /^(save|write|append|dump|record|log|persist|serialize|add)( \w+){0,2} (trajectory|trace|traj|transcript|step|messages?|entry|event|session|conversation|history)$/,
        2.6,
      ],
      [/\btrajectory\b|\btraj\b|\btranscript\b/, 1.6],
      [/^(save|serialize|persist)$/, 1.2],
    ],
    home: /^(\w+ )*(trajectory|trajectories|transcript|recorder|session manager|chat recording service|trajectory (writer|logger|recorder)|trace (writer|recorder)|session log|event (store|log|stream)|message|messages)$/,
    doc: /\b(?:saves?|writes?|records?|appends?|serializes?|persists?)\b.*\b(?:trajectory|transcript|trace|session|conversation)\b/i,
    text: {
      pattern: /trajectory|transcript|jsonl|\.traj\b|json\.dump|appendFile|writeFile|INSERT INTO|q\.Create/i,
      weight: 1,
    },
    not: /\b(load|read|get|parse|convert|view|render|display|delete|list|import|download|upload|export html|dir|path|is|filter|to memory|error|tool result|replay)\b/,
  },
  {
    kind: 'accounting',
    names: [
      [
        /^(calculate|compute|add|update|record|track|sum|accumulate|get)( \w+){0,2} (costs?|usage|tokens?( usage)?|stats|session stats)$/,
        3,
      ],
      [
        /\b(cost|usage|token)s? (tracker|totals?|stats)\b|\b(model|session|instance|global model) stats\b|\bupdate stats\b|\bmodel usage\b/,
        2.2,
      ],
      [/\bcosts?\b|\busage\b|\b(count|estimate) tokens\b/, 1.1],
    ],
    home: /^(\w+ )*(cost|costs|usage|token usage|accounting|stats|metrics|cost tracker|usage tracker|usage fallback)$/,
    text: { pattern: /\b\w*(?:cost|tokens?\w*|usage)\w*\s*\+=|\bcost\b[^\n]*\btokens\b/i, weight: 1.6, alone: 1.6 },
    not: /\b(limit|format|render|display|context window|show|multiplier|print|set|media|tool tokens|image|estimate|active sample|view|per million)\b/,
  },
  {
    kind: 'subagents',
    names: [
      [
        /^(run|spawn|create|launch|start|invoke|execute|handle|delegate to|call)( \w+)? (sub ?agents?|child agents?|delegate|agent tool|handoff)( \w+)?$/,
        3,
      ],
      [
        /\bsub ?agents?\b|\bagent (hand ?off|tool)$|\bhand ?off\b|\bdelegat(e|ion)\b|\bas tool\b|\bnew task( tool)?$/,
        2,
      ],
    ],
    home: /^(\w+ )?(sub ?agents?|agent tool|delegate|delegation|local executor|retry agent|handoff)( (tool|manager|invocation|runner|executor|wrapper|controller))?$/,
    text: { pattern: /\b(?:new |create|make)?\w*Agent\w*\s*\(|\.run\(|child|session/, weight: 0.6 },
    not: /\b(is|check|filter|name|filtering|events?|hooks?|install|render|format|disable|enable|list|validate|view|metadata|get|load|parse|path|extract|discovery|recall|has|from|record)\b/,
  },
  {
    kind: 'memory_files',
    names: [
      [
        /\b(agents|claude|gemini) md\b|\bload( \w+)? (project )?(context|memory|instruction|rule) files?\b|\bload( \w+){0,2} memory\b/,
        3,
      ],
      [
        /\b(project|user|repo)? ?(context|memory|instruction) files?\b|\b(save|load|read|get) memor(y|ies)\b|\b(custom|user|project|repo|workspace|cline) (instructions|rules)\b|\bmicroagents?\b|\bproject docs?\b/,
        2.2,
      ],
    ],
    home: /^(\w+ )*(memory|memories|memory files?|memory discovery|save memory|memory tool|instructions?|cline rules|user instructions|microagents?)$/,
    text: {
      pattern:
        /AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.cursorrules|\.clinerules|MEMORY\.md|copilot-instructions|\.windsurfrules/,
      weight: 2.4,
      alone: 2.4,
    },
    not: /\b(limit|usage|heap|bytes|leak|to memory|in memory|shared|view|render|refresh|migrate|toggle\w*|count|discovered)\b/,
    least: 4,
  },
  {
    kind: 'stop',
    names: [
      [
        /^(abort|cancel|interrupt|stop)( (run|agent|request|turn|task|session|all|execution|current|stream|generation|loop))*$/,
        3,
      ],
      [/\b(handle )?(sigint|sigterm|interrupt(ed|ion)?|cancellation|abort)\b/, 2],
      [/\bcancel\w*\b|\babort\w*\b|\bstop (agent|run|loop)\b/, 1.2],
    ],
    text: {
      pattern: /KeyboardInterrupt|AbortController|\.abort\(|SIGINT|CancelledError|cancel\(\)|context\.Canceled/,
      weight: 1.2,
    },
    not: /\b(retry|compaction|bash|branch|is|server|display|wait|shutdown|dialog|login|get|on|render|timer|animation|loader|oauth|autocomplete|editor|selector|hook|reason|should|summary|before|after)\b/,
  },
  {
    kind: 'termination',
    names: [
      [
        /\b(is|check|should|has)( \w+)? (done|finished|finish|stop|terminate|terminated|complete|completed|submitted)\b|\bstop condition\b/,
        2.4,
      ],
      [
        /\bhandle (submission|finish|completion)\b|\bshould (stop|end|exit|terminate|continue)\b|\bterminat(e|ion)\b/,
        1.8,
      ],
    ],
    not: /\b(server|process|download|stream|render|animation|migration|login|setup|install|retry)\b/,
  },
  {
    kind: 'model_call',
    names: [
      [
        /\b(call|query|invoke|request|ask|stream|generate)( \w+)? (model|llm|completion|assistant|assistant response|message stream)\b/,
        2.4,
      ],
      [
        /\b(chat|model) completion\b|^(single )?query$|^(generate|complete|completion|stream)( content)?( stream)?$/,
        1.5,
      ],
    ],
    home: /^(\w+ )?(llm|model|gemini chat|provider|client|content generator)$/,
    not: /\b(parse|usage|count|embed\w*|get|set|is|list|select|title|error|state|settings)\b/,
  },
  {
    kind: 'exec_boundary',
    names: [
      [
        /^(exec|execute|run|communicate|spawn|start|run in session)( (command|bash|shell|process|common|action))*$/,
        1.6,
      ],
      [/\b(execute|run|exec|spawn)( \w+)? (command|bash|shell|process)\b|\bbash operations\b/, 2],
    ],
    home: /^(\w+ )*(environment|env|sandbox|shell|terminal|runtime|executor|container|bash|shell execution service|operations|terminal manager)( \w+)?$/,
    text: {
      pattern:
        /shell\s*=\s*True|subprocess|spawn\(|execvp|bash|run_in_session|create_subprocess|exec\.Command|interp\.|pty/i,
      weight: 1,
    },
    not: /\b(git|clipboard|editor|browser|notify|open|install|version|build|kill|cleanup|hook|npm|update|test|path|which|login|format|log|ripgrep|check|stop|image|copy|clone|migrate|lint)\b/,
  },
];

/** Signals by kind. */
export const signalsOf: ReadonlyMap<UnitKind, KindSignals> = new Map(
  kindSignals.map((signals) => [signals.kind, signals]),
);

/** Tool names the model sees, by what the tool does; `plain` names are the tool itself and no relative of it,
 * `first` those among them that are it everywhere. */
export const toolPatterns: { kind: UnitKind; name: RegExp; plain: RegExp; first?: RegExp }[] = [
  {
    kind: 'tool_submit',
    name: /\b(submit|finish|done|complete|completion|attempt completion|final answer|exit|give up)\b/,
    plain: /^(submit|finish|done|task done|complete task|task complete|attempt completion|final answer)$/,
  },
  {
    kind: 'tool_search',
    name: /\b(grep|glob|find|search|ls|list|rg|locate|ripgrep)\b/,
    plain:
      /^(grep|search|search files?|search dir|find files?|search file content|rip ?grep|rg|code search|fs search|glob|find)( search)?$/,
    first: /grep|search|\brg\b/,
  },
  {
    kind: 'tool_edit',
    name: /\b(edit|patch|replace|insert|str replace|apply|modify|undo|editor)\b/,
    plain:
      /^((file |text )?(edit|editor)( file)?|replace|replace in file|str replace( editor)?|apply( \w+)? (patch|diff)|str replace based edit tool|patch|fs patch|fs edit)$/,
  },
  {
    kind: 'tool_write',
    name: /\b(write|create|save|append)\b/,
    plain: /^((fs )?write( file| to file)?|create( file)?|file write|save file|fs create)$/,
  },
  {
    kind: 'tool_read',
    name: /\b(read|view|open|cat|scroll|goto|show)\b/,
    plain: /^((fs )?read( file)?|view( file)?|open( file)?|cat|file read)$/,
  },
  {
    kind: 'tool_shell',
    name: /\b(bash|shell|exec|execute|command|terminal|run|python|cmd|powershell)\b/,
    plain:
      /^((execute |run )?(bash|shell)( command| tool)?|execute command|run command|terminal|exec|cmd run|shell exec)$/,
  },
];
