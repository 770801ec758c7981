import { z } from 'zod';
import { Edit } from './model';

/** What a model answers when it is asked for a proposal. Evidence is named by the ids that were offered to it. */
export const ProposerAnswer = z.object({
  title: z.string().min(1).describe('What gets better, in at most ten words.'),
  decisions: z
    .array(
      z.object({
        title: z.string().min(1).describe('The one behaviour that changes.'),
        rationale: z.string().describe('Why, in two sentences.'),
        evidence: z.array(z.string()).describe('Ids of the evidence it rests on, such as E1 or U2.'),
        edits: z.array(
          z.object({
            file: z.string().describe('Path relative to the repository, with "/".'),
            action: Edit.shape.action,
            oldText: z
              .string()
              .describe('For replace: text copied exactly from the file that occurs once in it. Else empty.'),
            newText: z.string().describe('The text in its place; the whole file for create; empty for delete.'),
          }),
        ),
      }),
    )
    .describe('Independent decisions, the most useful first. None when nothing should be changed.'),
  declares: z
    .object({
      modify: z.array(z.string()).default([]),
      add: z.array(z.string()).default([]),
      remove: z.array(z.string()).default([]),
    })
    .describe('Every file that the edits change, create and delete, and symbols in them as file#symbol.'),
  prediction: z
    .object({
      fixes: z.array(z.string()).default([]).describe('Tasks that will pass now.'),
      atRisk: z.array(z.string()).default([]).describe('Tasks that may fail now.'),
      note: z.string().default(''),
      expected: z.string().optional().describe('Effect on the share of passed tasks and on tokens, with its sign.'),
      risk: z.string().optional().describe('What may go wrong, in one sentence.'),
    })
    .describe('What the change will do, so that it can be checked.'),
});
export type ProposerAnswer = z.infer<typeof ProposerAnswer>;
