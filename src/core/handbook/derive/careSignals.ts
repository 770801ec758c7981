import type { KindSignals } from './kindSignals';

/** Kinds that take care of a run: what is cut, counted, kept, limited or stopped, and the places where it leaves the harness. */
export const careSignals: KindSignals[] = [
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
        /^(save|write|dump|record|persist|serialize|upsert|store)( \w+){0,2} (trajectory|trace|traj|transcript|step|messages?|entry|event|session|conversation|history)$/,
        2.8,
      ],
      // What joins the conversation in memory is kept only where it is written down too.
      [
        /^(append|log|add)( \w+){0,2} (trajectory|trace|traj|transcript|step|messages?|entry|event|session|conversation|history)$/,
        1.8,
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
    not: /\b(limit|format|render|display|context window|show|multiplier|print|set|media|tool tokens|image|estimate|active sample|view|per million|files?|diff|git)\b/,
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
    home: /^(\w+ )?(sub ?agents?|agent tool|delegate|delegation|local executor|retry agent|handoff|agent executor)( (tool|manager|invocation|runner|executor|wrapper|controller|service))?$/,
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
    home: /^(\w+ )*(memory|memories|memory files?|memory discovery|save memory|memory tool|instructions?|cline rules|user instructions|microagents?|rules)( (service|loader|discovery|provider|manager))?$/,
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
    notHome: /\b(spinner|progress|monitor|timer|watcher|animation|audio|recorder|server|stream renderer|player)\b/,
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
      [/\b(execute|run|exec|spawn)( \w+)? (command|bash|shell|process)\b|\bbash operations\b|^spawn\b/, 2],
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
