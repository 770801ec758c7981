import type { Step } from '../model';
import type { TraceReader } from '../open';
import { modelInputOf } from '../relations/modelInput';
import type { Preamble } from './model';
import { estimatedTokens } from './stepMetrics';

const RAW_CAP = 8 * 1024 * 1024;
const MOST_STEPS_BEFORE = 200;

/**
 * The input of the first model call by parts. The recorded input of that call is taken where the trace has it; otherwise the
 * system and user messages before it. Null for a run without a model answer near its start.
 */
export async function preambleOf(reader: TraceReader): Promise<Preamble | null> {
  const before: Step[] = [];
  for (let n = 1; n <= Math.min(reader.stepCount, MOST_STEPS_BEFORE); n += 1) {
    const step = await reader.step(n);
    if (step.kind === 'agent' && step.copied !== true) return split(reader, step, before);
    before.push(step);
  }
  return null;
}

async function split(reader: TraceReader, answer: Step, before: readonly Step[]): Promise<Preamble> {
  const bytes = reader.ranges(answer.n).reduce((sum, range) => sum + range.length, 0);
  const input = bytes > RAW_CAP ? null : modelInputOf(await reader.raw(answer.n));
  const system = input?.messages.filter(({ role }) => /^(system|developer)$/.test(role)) ?? ofKind(before, 'system');
  const user = input?.messages.filter(({ role }) => !/^(system|developer)$/.test(role)) ?? ofKind(before, 'user');
  const [systemPrompt, userMessages] = [tokensOf(system), tokensOf(user)];
  const recordedInput = wholeInput(answer);
  const remainder =
    recordedInput === null || systemPrompt === null
      ? null
      : Math.max(0, recordedInput - systemPrompt - (userMessages ?? 0));
  const tools = input === null || input.tools === null ? null : estimatedTokens(input.tools);
  return {
    step: answer.n,
    recordedInput,
    systemPrompt,
    userMessages,
    toolSchemas: tools ?? remainder,
    toolSchemasOrigin: tools !== null ? 'schemas' : remainder !== null ? 'remainder' : null,
    estimate: '4 characters a token',
  };
}

function ofKind(steps: readonly Step[], kind: Step['kind']) {
  return steps.filter((step) => step.kind === kind);
}

/** Null when there is no such message: the trace does not show it, which does not mean that none was sent. */
function tokensOf(messages: readonly { text: string }[]): number | null {
  if (messages.length === 0) return null;
  return messages.reduce((sum, { text }) => sum + estimatedTokens(text), 0);
}

function wholeInput({ tokens }: Step): number | null {
  if (tokens === undefined || tokens.input === null) return null;
  if (tokens.inputIncludesCached !== false) return tokens.input;
  return tokens.input + (tokens.cached ?? 0) + (tokens.cacheWrite ?? 0);
}
