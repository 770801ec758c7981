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
  const segments = external.split('.');
  const name = external.replace(/\(\)|\[\]/g, '');
  const calledData = segments.some((segment, at) => {
    if (at === segments.length - 1 || !segment.includes('(')) return false;
    const plain = segment.replace(/[()[\]]/g, '');
    return at > 0 && !/^[A-Z]/.test(plain.replace(/^.*\//, '')) && !clientMakers.test(plain);
  });
  const rule = language.boundaries.find(({ names }) => names.test(name));
  if (!rule || calledData) return undefined;
  const kind = rule.kind === 'network' && address && modelAddress.test(address) ? 'model' : rule.kind;
  return { kind, name };
}
