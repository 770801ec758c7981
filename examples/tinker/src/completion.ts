import type { ToolEffect } from './tools/tool.ts';

export interface CompletionSettings {
  /** Whether a submission after changes is refused until something was run. */
  requireRun: boolean;
  /** How often a submission may be refused; the next one is accepted. */
  maxRefusals: number;
}

/** Decides whether a submission is accepted. It watches which tools had which effect. */
export class CompletionCheck {
  private readonly settings: CompletionSettings;
  private changed = false;
  private ran = false;
  private refusals = 0;

  constructor(settings: CompletionSettings) {
    this.settings = settings;
  }

  observe(effect: ToolEffect): void {
    if (effect === 'changes') this.changed = true;
    if (effect === 'runs') this.ran = true;
  }

  /** True when the agent may stop; false asks it to check its work first. */
  accepts(): boolean {
    if (!this.settings.requireRun || !this.changed || this.ran) return true;
    if (this.refusals >= this.settings.maxRefusals) return true;
    this.refusals += 1;
    return false;
  }
}
