import { z } from 'zod';
import { InputError } from '../../core/errors';
import { type OpenedHarness, type Page, renderPages, unitPagePath } from '../../core/handbook';
import { tool } from '../tool';

/** The page of a path, a unit id, or a title. */
function pageOf(pages: readonly Page[], { map }: OpenedHarness, asked: string): Page {
  const wanted = asked.trim().toLowerCase();
  const unit = map.units.find(({ id, title }) => id === asked || title.toLowerCase() === wanted);
  const path = unit ? unitPagePath(unit.id) : asked;
  const found = pages.find((page) => page.path === path) ?? pages.find(({ title }) => title.toLowerCase() === wanted);
  if (found) return found;
  const near = pages.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, 5);
  throw new InputError(`There is no page "${asked}".`, {
    code: 'page-unknown',
    nextStep:
      near.length > 0 ? `Near: ${near.map((page) => page.path).join(', ')}.` : 'Ask without a page for the first one.',
  });
}

/** The handbook, a page at a time, from the overview down. */
export const handbookTool = tool({
  name: 'handbook',
  title: 'Handbook of the harness',
  description:
    'Reads one page of the behaviour handbook of this agent harness: without "page" the overview (stages, registers, where the ' +
    'model, the tools and the limits are); with a path from there a stage or a unit, with its code places.',
  input: { page: z.string().optional().describe('Path of a page as linked from another, a unit id, or a title.') },
  async answer({ page }, session, work) {
    const current = await session.current(work);
    const pages = renderPages(current.map, current.graph);
    const found = page === undefined ? pages[0] : pageOf(pages, current, page);
    return found?.markdown ?? 'The handbook has no page.';
  },
});
