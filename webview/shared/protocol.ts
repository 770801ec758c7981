/** The messages between pages and host; both sides check what they receive against these shapes. */
export * from './compareProtocol';
export * from './mapProtocol';
export * from './resultsProtocol';
export * from './traceProtocol';

/** Upper bound of one message in characters of JSON; larger ones stall the channel. */
export const messageLimit = 256 * 1024;
