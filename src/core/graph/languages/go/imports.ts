import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, type SyntaxNode } from '../../syntax/tree';

/** `import name "path"`, `import . "path"`, `import _ "path"`. */
export function addImport(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const path = childIn(node, 'path');
  if (!path) return;
  const module = tree.text(path).slice(1, -1);
  const alias = childIn(node, 'name');
  const line = tree.line(node);
  const { imports, exports } = builder.facts;
  if (alias?.type === 'dot') {
    exports.push({ exported: '*', module, chain: '*' });
    return;
  }
  imports.push({ local: alias ? tree.text(alias) : packageName(module), module, name: '*', line });
}

/** The name a package most likely has: its last path element without version, `go-`, `-go` and `-sdk-go`. */
function packageName(module: string): string {
  const elements = module.split('/').filter((element) => !/^v\d+$/.test(element));
  return (elements.at(-1) ?? module)
    .replace(/\.v\d+$/, '')
    .replace(/^go-|(?:-sdk)?-go$|\.go$/g, '')
    .replace(/-/g, '_');
}
