import { z } from 'zod';

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * For every unknown key in a rejected value the known key of that place that looks most like it, as
 * `"trails" is no key here, perhaps "trials"`; keys that resemble nothing are left out.
 */
export function keySuggestions(error: z.ZodError, schema: z.ZodType): string[] {
  const root = z.toJSONSchema(schema, { io: 'input' }) as SchemaNode;
  return unknownKeys(error.issues, []).flatMap(({ key, path }) => {
    const known = path.reduce<SchemaNode[]>(step, [root]).flatMap((node) => Object.keys(node.properties ?? {}));
    const best = known
      .map((name) => ({ name, distance: editDistance(key.toLowerCase(), name.toLowerCase()) }))
      .sort((one, other) => one.distance - other.distance)[0];
    if (!best || best.distance > Math.max(1, Math.floor(key.length / 3))) return [];
    return [`"${key}" is no key here, perhaps "${best.name}"`];
  });
}

/** Alternatives of a union report their issues one level down. */
function unknownKeys(
  issues: readonly z.core.$ZodIssue[],
  above: readonly PropertyKey[],
): { key: string; path: PropertyKey[] }[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ key, path }));
    return issue.code === 'invalid_union' ? issue.errors.flatMap((each) => unknownKeys(each, path)) : [];
  });
}

function step(nodes: SchemaNode[], key: PropertyKey): SchemaNode[] {
  return alternatives(nodes).flatMap((node) => {
    const rest = typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
    const found = typeof key === 'number' ? node.items : (node.properties?.[String(key)] ?? undefined);
    return alternatives(found ? [found] : rest);
  });
}

function alternatives(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => [node, ...alternatives(node.anyOf ?? [])]);
}

/** Insertions, deletions, replacements and swaps of neighbours between two short words. */
function editDistance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) best = Math.min(best, at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = best;
    }
  }
  return at(one.length, other.length);
}
