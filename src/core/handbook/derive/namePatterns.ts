import type { UnitKind } from '../model';

interface NamePattern {
  kind: UnitKind;
  /** Matched against the words of the name, joined with one space. */
  name: RegExp;
  /** Words of a class or file that make all its functions this kind. */
  home?: RegExp;
}

/** Order matters: the first match wins, so the specific ones stand first. */
export const namePatterns: NamePattern[] = [
  { kind: 'config_load', name: /^(get|set|load|read|merge|resolve)\b.*\b(settings|configs?|configuration|enabled)$/ },
  {
    kind: 'subagents',
    name: /\bsub ?agents?\b|\b(spawn|delegate|child)\b.*\bagent|\bdelegate\b/,
    home: /^sub ?agents?( tool)?$/,
  },
  {
    kind: 'compaction',
    name: /\bcompact(s|ion|ed)?\b|\bsummari[sz](e|er|ation)\b|\bcondens(e|er|ation)\b|\b(prune|trim|shrink)\b.*\b(history|context|messages)\b/,
    home: /^(auto )?(compaction|compactor|condenser|summari[sz]er|branch summari[sz]ation)$/,
  },
  {
    kind: 'format_error',
    name: /\bformat errors?\b|\b(malformed|requery|reprompt|repair)\b|\bparse (error|failure)\b|\bcreate error tool result\b/,
  },
  { kind: 'retry', name: /\bretry(ing|able)?\b|\bretries\b|\bback ?off\b/, home: /^(retry|retries|backoff)$/ },
  {
    kind: 'truncation',
    name: /\btruncat(e|ed|es|ion|or)\b|\belide(d)?\b|\bclip (output|text|lines)\b|\b(limit|cap|shorten) (output|text|lines|observation)\b/,
    home: /^(truncate|truncation|truncator|output limiter)$/,
  },
  {
    kind: 'permission',
    name: /\bpermissions?\b|\bapprov(e|al|als)\b|\b(ask|needs?|should|requires?)( ask)? (confirm|confirmation|permission|approval)\b|\bconfirmation\b|\bis (allowed|blocked|safe command|dangerous)\b|\bwhite ?list\b|\bblock ?list\b|\bshould block\b/,
    home: /^(permissions?|approvals?|policy|guardrails?)$/,
  },
  {
    kind: 'memory_files',
    name: /\b(agents|claude) md\b|\b(project )?context files?\b|\bmemory files?\b|\bload (memory|memories|instructions|context files?)\b/,
    home: /^(memory|memories|memory files?)$/,
  },
  {
    kind: 'response_parse',
    name: /\bparse\w*\b.*\b(actions?|responses?|tool( calls?)?|commands?|completion|outputs?|thought|reply|answer)\b|\bextract\b.*\b(actions?|commands?|tool calls?|code block)\b|\bget (tool calls|actions)\b/,
    home: /^(\w+ )*(parse function|response parser|output parser|action parser|\w+ parser)$/,
  },
  {
    kind: 'observation',
    name: /\bobservations?\b|\b(format|render|make|create|shape|build|emit)\b.*\btool results?\b|\btool result messages?\b|\bformat (output|result|command output)\b/,
  },
  {
    kind: 'tool_dispatch',
    name: /\b(execute|run|call|invoke|dispatch|handle|perform|prepare)( prepared)? (actions?|tools?|tool calls?|function calls?|commands? from)\b|\bexecute tool\b|\bdispatch( \w+)? (tools?|actions?)\b|\bhandle action\b/,
  },
  {
    kind: 'tool_registry',
    name: /\btools? (registry|registrar)\b|\btool (schemas|specs|definitions|descriptors)\b|\b(register|load|get|create|build|refresh|list|make|collect|install|all)( \w+)? (tools|tool registry)\b|\bregister tool\b|\bbundles?\b.*\btools?\b/,
    home: /^(tool registry|tool registrar)$/,
  },
  {
    kind: 'accounting',
    name: /\bcosts?\b|\b(count|estimate|calculate|track|add|sum|get|update|record)( \w+)? (tokens?|usage)\b|\b(token|usage) (count|usage|stats|tracker|totals?)\b|\bsession stats\b|\bmodel stats\b/,
    home: /^(cost|costs|usage|token usage|accounting|(global )?model stats|instance stats|usage tracker|cost tracker)$/,
  },
  {
    kind: 'trajectory',
    name: /\b(save|write|append|dump|record|log|persist|export|add|serialize|get)( \w+)? (trajectory|trace|traj|transcript|session entry|step to)\b|\btrajectory\b|\b(session manager|transcript writer)\b/,
    home: /^(trajectory|trajectories|session manager|trajectory (writer|logger|recorder)|trace(r| writer| recorder)|transcript|recorder)$/,
  },
  {
    kind: 'prompt_assembly',
    name: /\b(get )?(system prompt|template vars|instance prompt)\b|\b(build|make|assemble|render|create|compose|setup|prepare|add|rebuild|convert)( \w+){0,2} (prompts?|system message|instance message|templates?|template vars|messages for api|llm messages)\b|\b(messages|context) (builder|assembly)\b|\b(build|assemble|prepare)( \w+)? (context|messages|conversation|history)\b|\brender template\b/,
  },
  {
    kind: 'limits',
    name: /\b(check|enforce|assert|over|within|exceeds?|exceeded)( \w+)? (limits?|budgets?)\b|\blimits?( \w+)? exceeded\b|\btime exceeded\b|\bbudget exceeded\b/,
  },
  {
    kind: 'termination',
    name: /\b(is|check|should|has)( \w+)? (done|finished|finish|stop|terminate|terminated|complete|completed|submitted)\b|\bsubmitted\b|\bshould (stop|end|exit|terminate)\b|\bterminat(e|ion)\b.*\b(batch|agent|run)\b/,
  },
  {
    kind: 'config_load',
    name: /\b(load|read|get|parse|merge|resolve|find)( \w+){0,2} (configs?|configuration|settings|options)\b|\bconfig(uration)? from\b|\b(config|configuration|settings) (loader|path|file)\b|\bmerge (settings|configs?|options)\b|\brecursive merge\b/,
    home: /^(config|configuration|settings)( (loader|manager|reader))?$/,
  },
  {
    kind: 'model_call',
    name: /\b(call|query|invoke|request|ask|stream)( \w+)? (model|llm|completion|assistant|assistant response)\b|\b(chat|model) completion\b/,
  },
  {
    kind: 'stop',
    name: /\babort\b|\binterrupt(ed|ion)?\b|\b(handle )?(sigint|sigterm)\b|\bcancel (run|agent|request|turn)\b|\bstop (agent|run|loop)\b|\bshut ?down\b/,
  },
];

/** Tool names the model sees, by what the tool does. */
export const toolPatterns: { kind: UnitKind; name: RegExp }[] = [
  {
    kind: 'tool_submit',
    name: /\b(submit|finish|done|complete|completion|attempt completion|final answer|exit|give up)\b/,
  },
  { kind: 'tool_search', name: /\b(grep|glob|find|search|ls|list|rg|locate)\b/ },
  { kind: 'tool_edit', name: /\b(edit|patch|replace|insert|str replace|apply|modify|undo)\b/ },
  { kind: 'tool_write', name: /\b(write|create|save|append)\b/ },
  { kind: 'tool_read', name: /\b(read|view|open|cat|scroll|goto|show)\b/ },
  { kind: 'tool_shell', name: /\b(bash|shell|exec|execute|command|terminal|run|python|cmd|powershell)\b/ },
];
