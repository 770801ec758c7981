import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, type SyntaxNode } from '../../syntax/tree';
import { isTest } from './attributes';
import { codeChildren } from './expressions';

/** Where a `use` or `mod` stands. */
interface Place {
  /** Names of the inline modules around it. */
  modules: readonly string[];
}

interface Used {
  path: string[];
  local: string;
}

/** `use a::b::{self, C as D, e::*};`, with `pub` also passed on. */
export function addUse(builder: FactsBuilder, node: SyntaxNode, { modules }: Place): void {
  const { tree } = builder;
  const argument = childIn(node, 'argument');
  if (!argument) return;
  const isPublic = childOfType(node, 'visibility_modifier') !== undefined;
  const line = tree.line(node);
  const { imports, exports } = builder.facts;
  for (const { path, local } of usedIn(tree, argument)) {
    // `super` of an inline module is the file itself.
    const steps = [...path];
    for (let depth = modules.length; depth > 0 && steps[0] === 'super'; depth--) {
      if (steps[1] === 'super') steps.shift();
      else steps[0] = 'self';
    }
    if (steps[0] === 'self' && steps.length > 1) steps.shift();
    const [module, ...names] = steps as [string, ...string[]];
    const inner = modules.join('.');
    if (local === '*') {
      const target = moduleOf(module, names);
      if (target !== 'self') exports.push({ exported: inner && isPublic ? inner : '*', module: target, chain: '*' });
      continue;
    }
    const name = names.length > 0 ? names.join('.') : '*';
    if (local !== '_' && !(name === '*' && local === module)) imports.push({ local, module, name, line });
    if (isPublic) exports.push({ exported: inner ? `${inner}.${local}` : local, module, chain: name });
  }
}

/** A module that is opened as a whole; the finder knows only first steps, so longer paths are marked. */
function moduleOf(module: string, names: readonly string[]): string {
  return names.length > 0 ? [module, ...names].join('::') : module;
}

function usedIn(tree: { text(node: SyntaxNode): string }, argument: SyntaxNode): Used[] {
  const found: Used[] = [];
  const open: { node: SyntaxNode; before: string[] }[] = [{ node: argument, before: [] }];
  for (let steps = 0; open.length > 0 && steps < 2_000; steps++) {
    const { node, before } = open.pop()!;
    const textPath = (part: SyntaxNode | undefined): string[] =>
      part
        ? tree
            .text(part)
            .replace(/\s/g, '')
            .split('::')
            .filter((step) => step !== '')
        : [];
    switch (node.type) {
      case 'use_list':
        for (const child of codeChildren(node).reverse()) open.push({ node: child, before });
        break;
      case 'scoped_use_list': {
        const list = childIn(node, 'list');
        if (list) open.push({ node: list, before: [...before, ...textPath(childIn(node, 'path'))] });
        break;
      }
      case 'use_as_clause': {
        const path = [...before, ...textPath(childIn(node, 'path'))];
        if (path.at(-1) === 'self' && path.length > 1) path.pop();
        found.push({ path, local: tree.text(childIn(node, 'alias') ?? node) });
        break;
      }
      case 'use_wildcard':
        found.push({ path: [...before, ...textPath(codeChildren(node)[0])], local: '*' });
        break;
      default: {
        const path = [...before, ...textPath(node)];
        if (path.at(-1) === 'self' && path.length > 1) path.pop();
        if (path.length > 0) found.push({ path, local: path.at(-1)! });
      }
    }
  }
  return found.filter(({ path }) => path.length > 0);
}

/** `mod x;`: the module lies in a file of its own. */
export function addModule(builder: FactsBuilder, name: string, attributes: readonly string[]): void {
  const path = attributes.map((text) => /\bpath\s*=\s*"([^"]+)"/.exec(text)?.[1]).find(Boolean);
  const module = path ? `path:${path}` : `self::${name}`;
  builder.facts.exports.push({ exported: name, module, chain: '*', ...(isTest(attributes) ? { test: true } : {}) });
}
