import type { UnitKind } from '../model';
import type { Statement } from './statements';

/** What a region of the loop does, by its own text. */
export interface RegionKind {
  kind: UnitKind;
  reason: string;
  /** Short words that tell this region from its neighbours. */
  detail: string;
}

const limitWord = /\b\w*(?:limit|max(?:imum)?(?=[_A-Z])|budget|timeout|deadline|remaining)\w*/gi;
const counterCompare =
  /\b\w*(?:steps?|turns?|iterations?|n_calls|cost|tokens|elapsed\w*|depth|count)\b\s*(?:<=|>=|<|>|==)|(?:<=|>=|<|>)\s*[\w.]*\b\w*(?:steps?|turns?|iterations?|n_calls|cost|tokens|elapsed)\b/i;
const leaves = /(?:^|\n|[{):])\s*(?:break\b|return\b|raise\b|throw\b|continue\b)|\bprocess\.exit\(|\bsys\.exit\(/;
/** A flag under which the rounds end. */
const endFlag =
  /\b(?:should_?(?:yield|stop|exit|end|break|terminate)|is_?(?:done|finished|complete|over)|done|finished|stopped)\s*=\s*[Tt]rue\b/i;
const formatError =
  /\b(?:except|catch|instanceof|if)\b.*\b\w*(?:Format|Parse|Malformed|Invalid|Json|JSON|Validation|Syntax)\w*(?:Error|Exception|Action|Call)?\b/;
const messageAppend =
  /\b(?:\w*messages|history|conversation|transcript|trajectory|context\.messages)\s*(?:\.\s*(?:append|extend|push|insert|unshift|concat)\s*\(|=\s*append\()|\badd_?(?:to_?)?(?:messages?|history)\w*\s*\(/i;
const toolResult = /tool_?results?|observation|output|result/i;

/** Kind of an `if` whose condition guards a way out, from its text. */
export function guardKind(statement: Statement, text: string): RegionKind | undefined {
  const condition = statement.header;
  if (!/^(?:\}\s*)?(?:if|elif|else if)\b/.test(condition)) return undefined;
  if (!leaves.test(text) && !endFlag.test(text)) return undefined;
  const whole = conditionOf(text);
  const limits = [...new Set(whole.match(limitWord) ?? [])];
  if (limits.length > 0 || counterCompare.test(whole)) {
    const detail = limits.slice(0, 3).join(', ') || shortened(condition);
    return { kind: 'limits', detail, reason: `compares with a limit and leaves: \`${shortened(condition)}\`` };
  }
  if (formatError.test(condition)) {
    return {
      kind: 'format_error',
      detail: shortened(condition),
      reason: `handles an answer of the wrong form: \`${shortened(condition)}\``,
    };
  }
  if (!/(?:^|\n|[{):])\s*(?:break|return\b|raise\b|throw\b)|exit\(/.test(text) && !endFlag.test(text)) return undefined;
  return { kind: 'termination', detail: shortened(condition), reason: `leaves the loop: \`${shortened(condition)}\`` };
}

/** Kind of an `except` or `catch` clause. */
export function handlerKind(header: string, text: string): RegionKind | undefined {
  if (!/^(?:\}\s*)?(?:except|catch)\b/.test(header)) return undefined;
  // The errors may stand in brackets over several lines.
  const whole = conditionOf(text);
  if (formatError.test(whole)) {
    return {
      kind: 'format_error',
      detail: shortened(header),
      reason: `handles an answer of the wrong form: \`${shortened(header)}\``,
    };
  }
  if (/\b\w*(?:(?<!Rate)Limit|Timeout|Time|Budget|(?<!RateLimit)Exceeded)\w*/.test(header)) {
    return {
      kind: 'limits',
      detail: shortened(header),
      reason: `handles a limit that was reached: \`${shortened(header)}\``,
    };
  }
  if (/\b(?:\w*Interrupt\w*|\w*Abort\w*|\w*Cancel\w*)/.test(header) && !/Flow/.test(header)) {
    return { kind: 'stop', detail: shortened(header), reason: `handles an interruption: \`${shortened(header)}\`` };
  }
  if (/(?:^|\n)\s*(?:raise|throw|break|return)\b/.test(text) || /Flow|Submitted|Terminat|Stop|Done|Exit/.test(header)) {
    return {
      kind: 'termination',
      detail: shortened(header),
      reason: `ends the run or passes the error on: \`${shortened(header)}\``,
    };
  }
  return { kind: 'loop_step', detail: shortened(header), reason: `handles an error: \`${shortened(header)}\`` };
}

/** Kind of a statement by patterns of its text; undefined when nothing is known. */
export function textKind(text: string, header: string): RegionKind | undefined {
  const first = shortened(header);
  if (/^(?:break|return)\b/.test(header.trim()))
    return { kind: 'termination', detail: first, reason: `leaves the loop: \`${first}\`` };
  if (/^(?:raise|throw)\b/.test(header.trim()))
    return { kind: 'termination', detail: first, reason: `ends by an error: \`${first}\`` };
  if (
    /\btool_?calls?\b\s*(?::[^=]*)?=(?!=)|\bactions?\b\s*(?::[^=]*)?=(?!=).*(?:pars|extract|match|filter)/i.test(text)
  ) {
    return { kind: 'response_parse', detail: first, reason: `takes the calls out of the answer: \`${first}\`` };
  }
  if (/\b\w*(?:cost|tokens|usage|price)\w*\s*(?:\+=|=\s*[^=])/i.test(header)) {
    return { kind: 'accounting', detail: first, reason: `adds up cost or tokens: \`${first}\`` };
  }
  if (messageAppend.test(text)) {
    const kind = toolResult.test(text) ? 'observation' : 'prompt_assembly';
    return { kind, detail: first, reason: `adds to the conversation: \`${first}\`` };
  }
  return undefined;
}

/** Limit in the head of a loop: `for step in range(max_steps)`, `while (turn < maxTurns)`. */
export function loopHeadLimit(header: string): RegionKind | undefined {
  // Attempts of one call are no rounds of the agent.
  if (/\b(?:\w*attempts?|retry|retries|tries)\b/i.test(header)) return undefined;
  const limits = header.match(limitWord) ?? [];
  const bounded = /\brange\s*\(|(?:<=|<|>|>=)/.test(header);
  if (!bounded || (limits.length === 0 && !counterCompare.test(header) && !/range\s*\(/.test(header))) return undefined;
  const first = shortened(header);
  return { kind: 'limits', detail: limits[0] ?? first, reason: `bounds the number of rounds: \`${first}\`` };
}

/** Condition in the head of a `while` under which the rounds end: `while not done`. */
export function loopHeadEnd(header: string): RegionKind | undefined {
  const condition = /^while\s*\(?\s*(.*?)\)?\s*[:{]\s*$/.exec(header)?.[1];
  if (!condition || /^(?:True|true|1)$/.test(condition)) return undefined;
  return {
    kind: 'termination',
    detail: shortened(header),
    reason: `the rounds end by its condition: \`${shortened(header)}\``,
  };
}

/** The head of a statement, which may run over several lines, on one line. */
export function conditionOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => /[:{]\s*(?:#.*|\/\/.*)?$/.test(line));
  return lines.slice(0, end === -1 ? 1 : end + 1).join(' ');
}

/** One line of source, at most 70 characters. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(/`/g, "'").trim();
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
}
