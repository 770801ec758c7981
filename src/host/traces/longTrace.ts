/** Traces of more steps show their first rows before links and findings of the whole run are computed. */
export const longTrace = 400;
