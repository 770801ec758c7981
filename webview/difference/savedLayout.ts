import { z } from 'zod';

/** How the person wants to see differences. */
export const SavedLayout = z.object({ sideBySide: z.boolean(), onlyChanges: z.boolean() });
export type SavedLayout = z.infer<typeof SavedLayout>;
