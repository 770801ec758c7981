import type { Tree } from 'web-tree-sitter';

/** Walks a tree in the parser. */
export interface Cursor {
  typeId(): number;
  fieldId(): number;
  /** Offsets in UTF-16 units. */
  start(): number;
  end(): number;
  isMissing(): boolean;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): boolean;
  /** Frees what it holds. */
  delete(): void;
}

/** What `Parser.init` is given; the parser's runtime adds its functions to it, each under `_` and its name in C. */
export interface ParserModule {
  locateFile(): string;
  [name: string]: unknown;
}

/**
 * A cursor that asks the parser's runtime itself. The cursor of the library writes its state into the memory of
 * WebAssembly before each question and reads it back afterwards; as long as nothing else is asked in between, the state
 * is still there, and that is half of the time. Where the runtime lacks one of the functions, the library's cursor is used.
 */
export function cursorOver(tree: Tree, runtime: ParserModule): Cursor {
  const address: unknown = Reflect.get(tree, 0);
  const functions = names.map((name) => runtime[`_ts_tree_${name}_wasm`]);
  if (typeof address !== 'number' || !hasAll(functions)) return libraryCursor(tree);
  const [root, make, type, field, start, end, missing, firstChild, nextSibling, parent, free] = functions;
  root(address);
  make(address);
  return {
    typeId: () => type(address),
    fieldId: () => field(address),
    start: () => start(address),
    end: () => end(address),
    isMissing: () => missing(address) === 1,
    toFirstChild: () => firstChild(address) === 1,
    toNextSibling: () => nextSibling(address) === 1,
    toParent: () => parent(address) === 1,
    delete: () => free(address),
  };
}

const names = [
  'root_node',
  'cursor_new',
  'cursor_current_node_type_id',
  'cursor_current_field_id',
  'cursor_start_index',
  'cursor_end_index',
  'cursor_current_node_is_missing',
  'cursor_goto_first_child',
  'cursor_goto_next_sibling',
  'cursor_goto_parent',
  'cursor_delete',
];

type Ask = (tree: number) => number;

type Functions = [Ask, Ask, Ask, Ask, Ask, Ask, Ask, Ask, Ask, Ask, Ask];

function hasAll(functions: unknown[]): functions is Functions {
  return functions.every((each) => typeof each === 'function');
}

function libraryCursor(tree: Tree): Cursor {
  const cursor = tree.walk();
  return {
    typeId: () => cursor.nodeTypeId,
    fieldId: () => cursor.currentFieldId,
    start: () => cursor.startIndex,
    end: () => cursor.endIndex,
    isMissing: () => cursor.nodeIsMissing,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => cursor.gotoParent(),
    delete: () => cursor.delete(),
  };
}
