import { type OpenedHarness, openedHarness } from '../core/handbook';
import type { Work } from './tool';

/** The harness that a server serves: indexed at the first question, and brought up to date before each further one. */
export class Session {
  private opened: Promise<OpenedHarness> | undefined;

  constructor(readonly folder: string) {}

  async current(work: Work): Promise<OpenedHarness> {
    // One after the other: two questions at once would index twice.
    const before = this.opened;
    const next = (async () => {
      await before?.catch(() => undefined);
      return openedHarness(this.folder, work);
    })();
    this.opened = next;
    return next;
  }
}
