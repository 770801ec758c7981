import type { SymbolFact, ToolFact } from '../fileFacts';
import { isNamed } from './chains';
import type { FactsBuilder } from './factsBuilder';
import type { SyntaxNode } from './tree';

/** A tool as source declares it; with `nameChain` the name is a chain that leads to the text. */
export interface DeclaredTool {
  name: string;
  nameChain?: boolean | undefined;
  elsewhere?: boolean | undefined;
  description?: string | undefined;
  implementations: string[];
}

/** Adds a tool: one that a node in the current scope declares, or one that a function or class is. */
export function addTool(builder: FactsBuilder, declaring: SyntaxNode | SymbolFact, declared: DeclaredTool): ToolFact {
  const { name, nameChain, elsewhere, description, implementations } = declared;
  const place =
    'qualname' in declaring
      ? { scope: declaring.qualname, start: declaring.start, end: declaring.end }
      : { scope: builder.scope, start: builder.tree.line(declaring), end: builder.tree.endLine(declaring) };
  const fact: ToolFact = {
    name,
    ...(nameChain ? { nameChain } : {}),
    ...(elsewhere ? { elsewhere } : {}),
    ...(description ? { description } : {}),
    ...place,
    implementations,
  };
  builder.facts.tools.push(fact);
  return fact;
}

/** How a language reads what stands where a name is expected. */
export interface NameRead {
  plain: string | undefined;
  chain: string;
}

/** Adds a tool by what stands where its name is expected: a text that can be one, else a chain that leads to the text. */
export function addNamedTool(
  builder: FactsBuilder,
  node: SyntaxNode,
  name: NameRead | undefined,
  rest: Pick<DeclaredTool, 'description' | 'implementations'>,
): void {
  if (!name) return;
  const { plain, chain } = name;
  if (plain === undefined) {
    if (isNamed(chain)) addTool(builder, node, { ...rest, name: chain, nameChain: true });
  } else if (/^[\w./:-]{1,80}$/.test(plain)) addTool(builder, node, { ...rest, name: plain });
}
