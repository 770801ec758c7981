import { z } from 'zod';

export type ParsedModelJson<T> = { ok: true; value: T } | { ok: false; problem: string; value?: unknown };

/** Places in a long prose answer that are tried as the start of the JSON. */
const maximumStarts = 40;

/**
 * Finds JSON of a schema in a model's answer: the whole answer, a fenced block, or an object or array in prose.
 * The problem lists what the schema minds about the most complete JSON that was found, one issue a line.
 */
export function parseModelJson<T>(text: string, schema: z.ZodType<T>): ParsedModelJson<T> {
  let best: { value: unknown; problem: string; length: number } | undefined;
  for (const candidate of candidates(text)) {
    let value: unknown;
    try {
      value = JSON.parse(candidate);
    } catch {
      continue; // not JSON; another candidate may be
    }
    const result = schema.safeParse(value);
    if (result.success) return { ok: true, value: result.data };
    if (!best || candidate.length > best.length) {
      best = { value, problem: issueLines(result.error), length: candidate.length };
    }
  }
  if (best) return { ok: false, problem: best.problem, value: best.value };
  return { ok: false, problem: text.trim() === '' ? 'it is empty' : 'it contains no complete JSON' };
}

/** The JSON schema of a zod schema as text for a prompt; input side, so defaults may be left out. */
export function schemaText(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** The same for servers that hold an answer to it: every property is required there, as strict modes want it. */
export function answerSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', target: 'draft-7' });
  return rest;
}

function issueLines(error: z.ZodError): string {
  const lines = error.issues
    .slice(0, 20)
    .map((issue) => `${issue.path.map(String).join('.') || 'top level'}: ${issue.message}`);
  const more = error.issues.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function* candidates(text: string): Generator<string> {
  yield text.replace(/^\uFEFF/, '').trim();
  for (const match of text.matchAll(/```[\w-]*\s*\n([\s\S]*?)\n\s*```/g)) yield match[1]!.trim();
  let starts = 0;
  for (let at = nextStart(text, 0); at !== -1 && starts < maximumStarts; starts++) {
    const end = balancedEnd(text, at);
    if (end !== -1) yield text.slice(at, end);
    // What is inside a balanced stretch was tried with it; after an unbalanced one only its inside is left.
    at = nextStart(text, end === -1 ? at + 1 : end);
  }
}

function nextStart(text: string, from: number): number {
  const found = /[{[]/.exec(text.slice(from));
  return found ? from + found.index : -1;
}

/** End (not included) of the object or array that starts at an offset; -1 when it is cut off. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return -1;
}
