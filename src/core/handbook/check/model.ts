import { z } from 'zod';
import { Site } from '../model';

/** Something a handbook says that the source does not bear out any more. */
export const HandbookProblem = z.object({
  /** Page that says it, relative to the handbook folder. */
  page: z.string().optional(),
  site: Site.optional(),
  message: z.string(),
  /** Where to look: a source file, or the page itself when it names no place. */
  file: z.string(),
  line: z.int(),
});
export type HandbookProblem = z.infer<typeof HandbookProblem>;

/** `checked` counts the sites that were compared, `pages` the pages that were read. */
export const HandbookCheck = z.object({
  checked: z.int(),
  pages: z.int().optional(),
  problems: z.array(HandbookProblem),
});
export type HandbookCheck = z.infer<typeof HandbookCheck>;
