import { GateConfig } from '../../harness';

/** Settings of the gates with all defaults in place. */
export type GateSettings = GateConfig;

export const defaultSettings: GateSettings = GateConfig.parse({});
