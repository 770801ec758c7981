export { type AskModel, answerInSchema, type RawAnswer } from './answer';
export type { ModelEnvironment, ModelSettings } from './config';
export { createModelClient } from './createModelClient';
export type { ModelAnswer, ModelClient, ModelMessage, ModelRequest, ModelUsage } from './model';
export {
  ModelAnswerError,
  ModelError,
  ModelHostNotAllowedError,
  ModelKeyMissingError,
  ModelTimeoutError,
  ModelUnavailableError,
} from './modelErrors';
export { type ParsedModelJson, parseModelJson, schemaText } from './modelJson';
export { costAt, loadPrices, type PricedUsage, PriceFile, PriceList, pricesFile, TokenPrice } from './prices';
export { RecordedClient, recordingClient, requestHash } from './recorded';
export { RecordedAnswers } from './recordedFile';
