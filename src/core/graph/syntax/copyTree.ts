import type { Language } from 'web-tree-sitter';
import type { Cursor } from './cursor';
import type { SyntaxNode } from './tree';

/** Tokens that carry no fact; leaving them out halves the tree. */
const punctuation = new Set(['(', ')', '[', ']', '{', '}', ',', '.', ':', ';', '"', "'", '`', '<', '>', '/', '=>']);
/** Nodes of which only the text is used. */
const opaque = new Set(
  (
    'type_annotation type_arguments type_parameters type regex comment identifier property_identifier type_identifier ' +
    'shorthand_property_identifier shorthand_property_identifier_pattern private_property_identifier number integer float ' +
    'string_fragment string_content interpreted_string_literal_content raw_string_literal_content escape_sequence statement_identifier true false null none this super jsx_text'
  ).split(' '),
);
const noChildren: SyntaxNode[] = [];

interface NodeType {
  name: string;
  named: boolean;
  left: boolean;
  leaf: boolean;
}

/** Copies a tree out of the parser, without tokens that say nothing and without what lies below opaque nodes. */
export function copyTree(cursor: Cursor, language: Language, hasErrors: boolean): SyntaxNode {
  const { fields } = language;
  const types = typesOf(language);
  const node = (parent: SyntaxNode | null, type: NodeType): SyntaxNode => {
    const field = fields[cursor.fieldId()] ?? '';
    // Every question to the cursor crosses into WebAssembly; where a token stands is never asked.
    const start = type.named || hasErrors ? cursor.start() : (parent?.start ?? 0);
    const end = type.named || hasErrors ? cursor.end() : start;
    return { type: type.name, field, start, end, named: type.named, parent, children: noChildren };
  };
  const root = node(null, types(cursor.typeId()));
  let parent = root;
  let deeper = cursor.toFirstChild();
  while (deeper) {
    const type = types(cursor.typeId());
    const missing = hasErrors && cursor.isMissing();
    if (!type.left || missing) {
      const current = node(parent, type);
      if (missing) current.missing = true;
      if (parent.children === noChildren) parent.children = [current];
      else parent.children.push(current);
      if ((!type.leaf || hasErrors) && cursor.toFirstChild()) {
        parent = current;
        continue;
      }
    }
    deeper = cursor.toNextSibling();
    while (!deeper && parent !== root) {
      cursor.toParent();
      parent = parent.parent!;
      deeper = cursor.toNextSibling();
    }
  }
  return root;
}

const typesByLanguage = new WeakMap<Language, (id: number) => NodeType>();

/** What the copy needs to know of each node type, by its number. */
function typesOf(language: Language): (id: number) => NodeType {
  const made = typesByLanguage.get(language);
  if (made) return made;
  const known = language.types.map((name, id): NodeType => {
    const named = language.nodeTypeIsNamed(id);
    return { name, named, left: !named && punctuation.has(name), leaf: !named || opaque.has(name) };
  });
  const error: NodeType = { name: 'ERROR', named: true, left: false, leaf: false };
  const types = (id: number) => known[id] ?? error;
  typesByLanguage.set(language, types);
  return types;
}
