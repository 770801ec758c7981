export { type JudgeOptions, judge } from './judge';
export type { BaselineReruns } from './noiseFloor';
export { defaultRule, levelAt, type RuleChoices, ruleFor, ruleWords } from './rule';
