import { z } from 'zod';

/** What a node of the program graph stands for. */
export const NodeKind = z.enum([
  'file',
  'class',
  'function',
  'method',
  'variable', // module-level state or constant
  'attribute', // Class.attribute
  'prompt', // template or prompt file, or a long literal that is sent to a model
  'tool', // a declared tool (name the model sees)
  'config', // a configuration key or environment variable
  'boundary', // something outside: model, process, file system, network
]);
export type NodeKind = z.infer<typeof NodeKind>;

export const BoundaryKind = z.enum(['model', 'process', 'filesystem', 'network', 'clock', 'random']);
export type BoundaryKind = z.infer<typeof BoundaryKind>;

/** Line range in a file, from 1, both ends included. */
export const Range = z.object({ start: z.int().min(1), end: z.int().min(1) });
export type Range = z.infer<typeof Range>;

export const GraphNode = z.object({
  /** Stable: `file#qualname` for code, `prompt:file`, `tool:name`, `config:key`, `boundary:kind:name`. */
  id: z.string(),
  kind: NodeKind,
  name: z.string(),
  /** Dotted path inside the file, for example `Agent.run` or `Agent.run.helper`. */
  qualname: z.string(),
  /** Relative to the repository, with `/`. Empty for boundaries. */
  file: z.string(),
  start: z.int(),
  end: z.int(),
  signature: z.string().optional(),
  /** First sentence of the doc comment, as written. */
  doc: z.string().optional(),
  decorators: z.array(z.string()).optional(),
  async: z.boolean().optional(),
  exported: z.boolean().optional(),
  /** A run starts here: the main function of a program, or what a command line calls for a command. */
  entry: z.enum(['program', 'command']).optional(),
  /** A test inside a file that is no test file. */
  test: z.boolean().optional(),
  /** Line ranges of loops (for, while) directly in this function, outermost first. */
  loops: z.array(Range).optional(),
  boundary: BoundaryKind.optional(),
  /** For tools: the description the model sees. For config: the default, as source text. For variables: the value, as source text. */
  detail: z.string().optional(),
});
export type GraphNode = z.infer<typeof GraphNode>;

export const EdgeKind = z.enum([
  'calls',
  'constructs',
  'reads', // attribute, global, configuration
  'writes',
  'contains', // class -> method, function -> nested function
  'imports', // file -> file
  'inherits',
  'uses-prompt', // function -> prompt
  'declares-tool', // code or descriptor file -> tool
  'implements-tool', // tool -> function, or the script file that is the tool
  'binds', // configuration key -> class, function or script it names
]);
export type EdgeKind = z.infer<typeof EdgeKind>;

export const GraphEdge = z.object({
  from: z.string(),
  to: z.string(),
  kind: EdgeKind,
  file: z.string(),
  line: z.int(),
  /** Source text of the call or access, at most 200 characters. */
  text: z.string().optional(),
  /** False when one of several candidates (protocols, overrides, same last name) was taken. */
  certain: z.boolean().optional(),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

/** A string in the source, split at its placeholders. `null` stands for a placeholder. */
export const LiteralFact = z.object({
  file: z.string(),
  start: z.int(),
  end: z.int(),
  /** Id of the enclosing function, prompt, class or file node. */
  owner: z.string(),
  parts: z.array(z.string().nullable()),
});
export type LiteralFact = z.infer<typeof LiteralFact>;

/** A call that no rule could resolve, kept with its text. */
export const UnresolvedCall = z.object({ from: z.string(), text: z.string(), file: z.string(), line: z.int() });
export type UnresolvedCall = z.infer<typeof UnresolvedCall>;

/**
 * A call of a named function or class of a library, such as `re.search`. Kept apart from the edges: it says what code leans
 * on, while boundaries say where the harness touches the world. Test files are left out.
 */
export const LibraryCall = z.object({ from: z.string(), name: z.string(), file: z.string(), line: z.int() });
export type LibraryCall = z.infer<typeof LibraryCall>;

export const GraphFile = z.object({
  path: z.string(),
  language: z.string(), // 'python', 'typescript', 'tsx', 'javascript', 'markdown', 'yaml', ...
  hash: z.string(),
  lines: z.int(),
  bytes: z.int(),
  /** Ranges the parser could not understand. */
  parseErrors: z.int(),
});
export type GraphFile = z.infer<typeof GraphFile>;

/** All facts of one harness; plain data, see `ProgramGraph` for look-ups. */
export interface GraphData {
  root: string;
  files: GraphFile[];
  nodes: GraphNode[];
  edges: GraphEdge[];
  literals: LiteralFact[];
  unresolved: UnresolvedCall[];
  libraryCalls?: LibraryCall[];
}
