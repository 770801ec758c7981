import type { TraceHead } from '../reading/head';
import { agentDojo } from './agentDojo';
import { atif } from './atif';
import { cast } from './cast';
import { chat } from './chat';
import { chatReplay } from './chatReplay';
import { claudeCode } from './claudeCode';
import { cline, clineUi } from './cline';
import { codex } from './codex';
import { codexExec } from './codexExec';
import { copilotCli } from './copilot';
import { episodes } from './episodes';
import type { TraceFormat } from './format';
import { gemini } from './gemini';
import { geminiContent, qwenCode } from './geminiContent';
import { gepa } from './gepa';
import { goose } from './goose';
import { inMemoryTracer } from './inMemoryTracer';
import { inspect } from './inspect';
import { kimi } from './kimi';
import { langfuse } from './langfuse';
import { langsmith } from './langsmith';
import { managedAgents } from './managedAgents';
import { aider, specstory } from './markdown';
import { miniSweAgent } from './miniSweAgent';
import { opencode } from './opencode';
import { openhandsV0 } from './openhandsV0';
import { openhandsV1 } from './openhandsV1';
import { aEvolve, capEvolve } from './optimizerRuns';
import { otel } from './otel';
import { pi } from './pi';
import { promptfoo } from './promptfoo';
import { responses } from './responses';
import { sse } from './sse';
import { streamJson } from './streamJson';
import { sweAgent } from './sweAgent';
import { tau } from './tau';
import { verdictFiles } from './verdictFiles';
import { vscodeChat } from './vscodeChat';

/** All readable formats. A new one is a file in this folder and a line here. */
export const traceFormats: readonly TraceFormat[] = [
  inspect,
  episodes,
  cast,
  atif,
  miniSweAgent,
  sweAgent,
  codex,
  codexExec,
  pi,
  gemini,
  geminiContent,
  qwenCode,
  claudeCode,
  streamJson,
  openhandsV0,
  openhandsV1,
  cline,
  clineUi,
  tau,
  otel,
  langfuse,
  langsmith,
  opencode,
  copilotCli,
  kimi,
  managedAgents,
  responses,
  sse,
  specstory,
  aider,
  vscodeChat,
  chatReplay,
  agentDojo,
  goose,
  promptfoo,
  capEvolve,
  aEvolve,
  gepa,
  inMemoryTracer,
  chat,
  verdictFiles,
];

/** Below this a guess is no better than "unknown". */
const ENOUGH = 0.3;

/** The format that is surest of the content, or null. */
export function recognise(head: TraceHead): TraceFormat | null {
  let best: TraceFormat | null = null;
  let confidence = ENOUGH;
  for (const format of traceFormats) {
    const sure = format.sniff(head);
    if (sure > confidence) [best, confidence] = [format, sure];
  }
  return best;
}

/** The reader with this id, or undefined. */
export function formatById(id: string): TraceFormat | undefined {
  return traceFormats.find((format) => format.id === id);
}
