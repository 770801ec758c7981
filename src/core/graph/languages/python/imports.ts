import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childrenIn, type SyntaxNode } from '../../syntax/tree';

/** `import a.b as c`, `from .a import b as c`, `from a import *`. */
export function addImports(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const line = tree.line(node);
  const { imports, exports } = builder.facts;
  const from = childIn(node, 'module_name');
  const module = from ? tree.text(from).replace(/\s/g, '') : '';
  for (const item of childrenIn(node, 'name')) {
    const name = tree.text(item.type === 'aliased_import' ? (childIn(item, 'name') ?? item) : item);
    const alias = item.type === 'aliased_import' ? tree.text(childIn(item, 'alias') ?? item) : undefined;
    if (from) {
      imports.push({ local: alias ?? name, module, name, line });
      continue;
    }
    // `import a.b` binds `a`, and makes `a.b` reachable through it.
    const local = alias ?? name.split('.')[0]!;
    imports.push({ local, module: alias ? name : local, name: '*', line });
    if (!alias && local !== name) imports.push({ local: name, module: name, name: '*', line });
  }
  if (from && node.children.some((child) => child.type === 'wildcard_import')) {
    exports.push({ exported: '*', module, chain: '*' });
  }
}
