import type { z } from 'zod';
import type { Session } from './session';

/** How the work of a question is stopped. */
export interface Work {
  signal: AbortSignal;
}

/** One question that a client may ask. A new one is one file and one line in the registry. */
export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  title: string;
  /** For the model: what it answers and when to ask it. */
  description: string;
  input: Shape;
  /** The answer as text. @throws HarnessmithError, which is told to the client in its words. */
  answer(input: z.infer<z.ZodObject<Shape>>, session: Session, work: Work): Promise<string>;
}

/** Keeps the input type of a tool while the registry holds tools of any. */
export function tool<Shape extends z.ZodRawShape>(given: Tool<Shape>): Tool {
  return given as unknown as Tool;
}
