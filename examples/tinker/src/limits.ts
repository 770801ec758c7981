export type LimitName = 'turn_limit' | 'format_error_limit' | 'time_limit';

export interface LimitSettings {
  turns: number;
  /** Malformed replies in a row. */
  formatErrors: number;
  seconds: number;
}

/** Counts what a run has used up and says which limit is reached. */
export class Limits {
  private readonly settings: LimitSettings;
  private readonly now: () => number;
  private readonly startedAt: number;
  private turns = 0;
  private formatErrorsInARow = 0;

  constructor(settings: LimitSettings, now: () => number = Date.now) {
    this.settings = settings;
    this.now = now;
    this.startedAt = now();
  }

  startTurn(): void {
    this.turns += 1;
  }

  countFormatError(): void {
    this.formatErrorsInARow += 1;
  }

  countGoodAction(): void {
    this.formatErrorsInARow = 0;
  }

  /** The limit that is reached, or null while the run may go on. */
  reached(): LimitName | null {
    if (this.formatErrorsInARow >= this.settings.formatErrors) return 'format_error_limit';
    if (this.turns >= this.settings.turns) return 'turn_limit';
    if (this.now() - this.startedAt >= this.settings.seconds * 1000) return 'time_limit';
    return null;
  }
}
