import type { Language } from '../languages/language';
import type { BoundaryKind } from '../model';

const modelAddress =
  /chat\/completions|\/v\d+\/(messages|responses|completions)\b|generateContent|\/api\/(generate|chat)\b|\/converse\b|\/inference\b/i;
/** Lower-case functions whose result is a client rather than data. */
const clientMakers = /^(client|resource|from_env|get_client|with_options|chats?|create\w*|default|create_client)$/;

export interface Boundary {
  kind: BoundaryKind;
  /** Dotted name without call and index marks. */
  name: string;
}

/**
 * Which outside a call reaches, or undefined when it is an ordinary library call. A network call whose address looks
 * like a model endpoint is a model call.
 *
 * @param external dotted name with `()` after called parts
 * @param address text of the first argument, if known
 */
export function boundaryOf(external: string, language: Language, address?: string): Boundary | undefined {
  const name = plainName(external);
  const rule = language.boundaries.find(({ names }) => names.test(name));
  // Builders are called on in long chains where types are declared, and rules name what ends them.
  if (!rule || (isDataOfCall(external) && !rule.handles && language.typing !== 'nominal')) return undefined;
  const kind = rule.kind === 'network' && address && modelAddress.test(address) ? 'model' : rule.kind;
  const { library, method } = rule.names.exec(name)?.groups ?? {};
  return { kind, name: library && method ? `${library}.${method}` : name };
}

/**
 * The dotted name of an imported function or class, or undefined for what every program has without an import, and for
 * methods of what such a function returned: `re.compile(x).match` is no name that a library has.
 */
export function libraryName(external: string, language: Language): string | undefined {
  const root = /^[^.()[\]]*/.exec(external)![0];
  if (root === '' || root === '""' || language.builtins.has(root) || isDataOfCall(external)) return undefined;
  return plainName(external);
}

function plainName(external: string): string {
  return external.replace(/\(\)|\[\]/g, '');
}

/** Whether some part before the last is the result of a function rather than of a class or of a maker of clients. */
function isDataOfCall(external: string): boolean {
  const segments = external.split('.');
  return segments.some((segment, at) => {
    if (at === segments.length - 1 || !segment.includes('(')) return false;
    const plain = segment.replace(/[()[\]]/g, '');
    return at > 0 && !/^[A-Z]/.test(plain.replace(/^.*\//, '')) && !clientMakers.test(plain);
  });
}
