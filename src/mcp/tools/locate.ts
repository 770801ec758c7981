import { z } from 'zod';
import { locate } from '../../core/locate';
import { tool } from '../tool';

/** Where a behaviour lives, by words. */
export const locateTool = tool({
  name: 'locate',
  title: 'Where a behaviour lives',
  description:
    'Finds the code behind a request in words, such as "raise the output limit of the shell tool": places with reasons, each checked ' +
    'against the files as they are, the current values of what the request names, and what else to look at.',
  input: {
    request: z.string().min(1).describe('What is wanted, in words.'),
    limit: z.int().min(1).max(50).default(10).describe('How many places.'),
  },
  async answer({ request, limit }, session, work) {
    const { harness, graph, map } = await session.current(work);
    const answer = await locate(request, { harness, graph, map, limit, signal: work.signal });
    const { units, sites, alsoLookAt, premises, plan } = answer;
    return JSON.stringify(
      { units: units.slice(0, 5), sites, premises, alsoLookAt: alsoLookAt.slice(0, 10), plan },
      null,
      1,
    );
  },
});
