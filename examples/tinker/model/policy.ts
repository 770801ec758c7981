import { roll } from './noise.ts';
import type { Call, Protocol, Slip } from './protocol.ts';
import { learnProtocol, readReply, temptation, told, writeReply } from './protocol.ts';
import type { Facts, Intent, Script } from './script.ts';
import { shell } from './script.ts';
import { scripts } from './scripts.ts';

export interface Message {
  role: string;
  content: string;
}

/** The weaknesses of the model, each a probability. README.md of this folder explains them. */
export const weaknesses = {
  /** A first slip in a call that invites it, when nothing told the model otherwise. */
  slip: { raw_newline: 0.95, wrong_field: 0.92, no_fence: 0.02 } satisfies Record<Slip, number>,
  /** The same slip again after an answer that does not say what was wrong. */
  repeatUntold: { raw_newline: 0.97, wrong_field: 0.97, no_fence: 0.5 } satisfies Record<Slip, number>,
  /** A slip after the harness hinted at it, and after it said so plainly. */
  slipHinted: 0.5,
  slipTold: 0.04,
  /** Looks again more narrowly when told that output was cut: with and without being told how. */
  narrowPlain: 0.95,
  narrowVague: 0.55,
  /** Checks the work: on its own, when the system prompt asks for it, when a submission was refused. */
  checkUnasked: 0.08,
  checkPrompted: 0.85,
  checkRefused: 0.96,
  /** Submits in the middle of the work, at each turn. */
  earlySubmit: 0.015,
} as const;

const asksToCheck =
  /\b(?:check|verif|test)\w*[\s\S]{0,80}\b(?:submit|done|finish)|\b(?:submit|done|finish)\w*[\s\S]{0,80}\b(?:check|verif|test)/i;
const saysCut = /\b(?:truncated|cut off|was cut|omitted|not shown)\b/i;
const saysHow = /\b(?:offset|limit|grep|tail|search|narrow\w*|lines? \d+)\b/i;
const failed = /exit code [1-9]|\berror\b|occurs \d+ times/i;

interface Exchange {
  reply: string;
  answer: string;
}

/** An own call that was well written, and what came back. */
interface Done {
  call: Call;
  answer: string;
}

const sameCall = (a: Call, b: Call): boolean => JSON.stringify([a.tool, a.args]) === JSON.stringify([b.tool, b.args]);

function exchangesOf(messages: Message[]): Exchange[] {
  return messages.flatMap((message, index) =>
    message.role === 'assistant' ? [{ reply: message.content, answer: messages[index + 1]?.content ?? '' }] : [],
  );
}

/** Facts come only from what looks showed, so that the model's own writing does not change them. */
function gatherFacts(script: Script, done: Done[]): Facts {
  const looks = script.intents.flatMap((intent) => (intent.kind === 'look' ? [intent.call({}), intent.narrow] : []));
  const shown = done.filter(({ call }) => looks.some((wanted) => wanted && sameCall(call, wanted)));
  const text = shown.map(({ answer }) => answer).join('\n');
  return Object.fromEntries(
    Object.entries(script.facts ?? {}).map(([name, { pattern, guess }]) => [
      name,
      [...text.matchAll(pattern)].at(-1)?.[1] ?? guess,
    ]),
  );
}

/** As with a real model, every other wording throws the dice anew. */
function conversation(messages: Message[]): string {
  return messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
}

/** What the model still remembers of its work, from the messages that the harness kept. */
interface Memory {
  /** Index of the next intent. */
  position: number;
  narrowed: boolean;
  /** Output of the last look, when it was the last thing done. */
  lookAnswer: string | null;
  checked: boolean;
  checkFailed: boolean;
  refused: boolean;
}

function remember(script: Script, facts: Facts, done: Done[]): Memory {
  const memory: Memory = {
    position: 0,
    narrowed: false,
    lookAnswer: null,
    checked: false,
    checkFailed: false,
    refused: false,
  };
  for (const { call, answer } of done) {
    memory.lookAnswer = null;
    if (call.tool === 'submit') memory.refused = asksToCheck.test(answer);
    if (script.check && sameCall(call, shell(script.check))) {
      memory.checked = true;
      memory.checkFailed = failed.test(answer);
    }
    const meant = (intent: Intent): boolean =>
      sameCall(call, intent.call(facts)) || (!!intent.careless && sameCall(call, intent.careless(facts)));
    const index = script.intents.findIndex((intent) => meant(intent));
    const intent = script.intents[index];
    if (intent?.kind === 'look') {
      memory.position = Math.max(memory.position, index + 1);
      memory.lookAnswer = answer;
    } else if (intent && !failed.test(answer)) {
      memory.position = Math.max(memory.position, index + 1);
      if (memory.checkFailed) {
        memory.checkFailed = false;
        memory.checked = false;
      }
    }
    if (script.intents.some(({ narrow }) => narrow && sameCall(call, narrow))) memory.narrowed = true;
  }
  return memory;
}

interface Choice {
  thought: string;
  call: Call;
}

const submit: Call = { tool: 'submit', args: {} };

/** What the model means to do next, before its slips. */
function choose(script: Script, messages: Message[], done: Done[], seed: number): Choice {
  const facts = gatherFacts(script, done);
  const memory = remember(script, facts, done);
  const chance = (tag: string): number => roll(seed, conversation(messages), tag);
  const previous = script.intents[memory.position - 1];
  if (memory.lookAnswer !== null && previous?.narrow && !memory.narrowed && saysCut.test(memory.lookAnswer)) {
    const willing = saysHow.test(memory.lookAnswer) ? weaknesses.narrowPlain : weaknesses.narrowVague;
    if (chance('narrow') < willing)
      return { thought: 'The output was cut; I look at the rest.', call: previous.narrow };
  }
  // Carelessness is a trait of the whole run, so it must not change from turn to turn.
  const careless =
    roll(seed, conversation(messages.slice(0, 1)), script.title, 'careless') < (script.carelessness ?? 0);
  const next = script.intents[memory.position];
  if (next) {
    if (chance('early') < weaknesses.earlySubmit) {
      return { thought: 'I think that is enough.', call: submit };
    }
    const call = careless && next.careless ? next.careless(facts) : next.call(facts);
    return { thought: next.thought, call };
  }
  const wrong = script.intents.find((intent) => intent.careless);
  if (memory.checkFailed && wrong)
    return { thought: 'The check shows a mistake; I correct it.', call: repair(wrong, facts) };
  if (!memory.checked && script.check && checks(messages, memory, chance('check'))) {
    return { thought: 'I check the result.', call: shell(script.check) };
  }
  return { thought: 'This should be done.', call: submit };
}

/** The careful version of a change; an edit starts from what the careless one left behind. */
function repair(intent: Intent, facts: Facts): Call {
  const right = intent.call(facts);
  const wrong = intent.careless?.(facts);
  if (right.tool !== 'edit' || !wrong) return right;
  return { tool: 'edit', args: { ...right.args, old: wrong.args.new ?? '' } };
}

function checks(messages: Message[], memory: Memory, chance: number): boolean {
  if (memory.refused) return chance < weaknesses.checkRefused;
  const system = messages.find((message) => message.role === 'system')?.content ?? '';
  return chance < (asksToCheck.test(system) ? weaknesses.checkPrompted : weaknesses.checkUnasked);
}

function slipIn(call: Call, instructions: string[], last: Slip | null, chance: number): Slip | null {
  const tempted = temptation(call) ?? 'no_fence';
  const known = told(tempted, instructions);
  // The system prompt describes the block from the start, so that only the small rest of carelessness remains.
  const first = weaknesses.slip[tempted];
  const untold = last === tempted ? weaknesses.repeatUntold[tempted] : first;
  const probability =
    known === 1 ? Math.min(first, weaknesses.slipTold) : known > 0 ? Math.min(first, weaknesses.slipHinted) : untold;
  return chance < probability ? tempted : null;
}

/** The next reply of the simulated model. It depends on the messages and the seed only. */
export function reply(messages: Message[], seed: number): string {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  const exchanges = exchangesOf(messages);
  const firstProtocol = learnProtocol(system);
  const refusals = exchanges.filter(({ reply: own }) => 'slip' in readReply(own, firstProtocol));
  const instructions = [...system, ...refusals.map(({ answer }) => answer)];
  const protocol: Protocol = learnProtocol([...instructions].reverse());
  const users = messages.filter((message) => message.role === 'user').map((message) => message.content);
  const script = scripts.find(({ title }) => users.some((text) => text.split('\n').includes(title)));
  if (!script) {
    return writeReply('I do not see a task any more, so I take it as done.', submit, protocol, null);
  }
  const read = exchanges.map(({ reply: own, answer }) => ({ ...readReply(own, protocol), answer }));
  const done = read.flatMap((item) => ('call' in item ? [{ call: item.call, answer: item.answer }] : []));
  const lastRead = read.at(-1);
  const lastSlip = lastRead && 'slip' in lastRead ? lastRead.slip : null;
  const { thought, call } = choose(script, messages, done, seed);
  const slip = slipIn(call, instructions, lastSlip, roll(seed, conversation(messages), 'slip'));
  return writeReply(lastSlip ? 'I try again.' : thought, call, protocol, slip);
}
