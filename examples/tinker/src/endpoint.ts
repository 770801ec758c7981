import { startSimulatedModel } from '../model/server.ts';

/** Where the model is reached. */
export interface Endpoint {
  baseUrl: string;
  apiKey?: string;
  close(): Promise<void>;
}

/** The given endpoint, that of TINKER_BASE_URL, or else the simulated model, started for this run on a free port. */
export async function openEndpoint(given: string | undefined): Promise<Endpoint> {
  const baseUrl = given ?? process.env.TINKER_BASE_URL;
  if (baseUrl) return { baseUrl, apiKey: process.env.TINKER_API_KEY, close: async () => {} };
  return startSimulatedModel();
}
