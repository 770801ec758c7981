declare module 'difference-worker' {
  /** Source of the worker, put in by the build. */
  const text: string;
  export default text;
}
