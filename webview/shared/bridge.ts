import type { z } from 'zod';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The channel of a page: checked messages in, typed messages out, and a small state that survives a reload. */
export interface Bridge<In, Out, State> {
  send(message: Out): void;
  onMessage(listener: (message: In) => void): () => void;
  /** What `save` was last given before the page was closed or hidden; null when unreadable or absent. */
  restored: State | null;
  save(state: State): void;
}

/** Connects the page to its host. May be called once a page. */
export function connect<In, Out, State>(messages: z.ZodType<In>, state: z.ZodType<State>): Bridge<In, Out, State> {
  const api = acquireVsCodeApi();
  const restored = state.safeParse(api.getState());
  return {
    send: (message) => api.postMessage(message),
    onMessage: (listener) => {
      const receive = (event: MessageEvent<unknown>) => {
        const message = messages.safeParse(event.data);
        if (message.success) listener(message.data);
      };
      window.addEventListener('message', receive);
      return () => window.removeEventListener('message', receive);
    },
    restored: restored.success ? restored.data : null,
    save: (value) => api.setState(value),
  };
}
