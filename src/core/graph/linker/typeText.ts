import { splitTop } from '../brackets';

/** A named type with its arguments, as written in an annotation. */
export interface NamedType {
  name: string;
  arguments: string[];
  /** `X[]` in TypeScript. */
  array: boolean;
}

/** Of a longer union or list of arguments the rest is left out. */
const mostParts = 12;

/** The alternatives of a type: `Optional[A] | "B"` gives A (inside Optional) and B. Unreadable parts are left out. */
export function alternativesOf(text: string): NamedType[] {
  return splitTop(text, '|&')
    .slice(0, mostParts)
    .flatMap((part) => {
      const grouped = /^\(([\s\S]*)\)((?:\[\])*)$/.exec(part);
      if (grouped && !part.includes('=>')) {
        return alternativesOf(grouped[1]!).map((type) => ({ ...type, array: type.array || grouped[2] !== '' }));
      }
      const named = namedOf(part);
      return named ? [named] : [];
    });
}

function namedOf(part: string): NamedType | undefined {
  let text = part
    .replace(/^['"]|['"]$/g, '')
    .replace(/^(readonly|keyof|typeof|unique) /, '')
    .trim();
  let array = false;
  while (text.endsWith('[]')) {
    array = true;
    text = text.slice(0, -2).trim();
  }
  const match = /^((?:::)?[\p{L}_$][\p{L}\p{N}_$.]*)\s*(?:[[<]([\s\S]*)[\]>])?$/u.exec(text);
  if (!match) return undefined;
  return {
    name: match[1]!,
    arguments: match[2] ? splitTop(match[2]).slice(0, mostParts) : [],
    array,
  };
}

/** The return type of a function type such as `(a: A) => Promise<B>` or `Callable[[A], B]`. */
export function returnOfFunctionType(text: string): string | undefined {
  const arrow = text.lastIndexOf('=>');
  if (arrow >= 0) return text.slice(arrow + 2).trim();
  return /^(?:typing\.)?Callable\[.*,\s*([^,\]]+)\]$/.exec(text)?.[1];
}

/** Types that stand for the type inside them. */
export const transparentTypes = new Set(
  (
    'Optional Union Annotated Final ClassVar Required NotRequired Readonly ReadOnly Promise PromiseLike Awaitable Coroutine Partial Pick Omit ' +
    'NonNullable Awaited InstanceType Mapped SkipValidation SerializeAsAny'
  ).split(' '),
);

/** Types that hold values of the last type inside them. */
export const containerTypes = new Set(
  (
    'list List dict Dict set Set frozenset tuple Tuple Sequence Iterable Iterator Mapping MutableMapping Generator AsyncGenerator AsyncIterator ' +
    'AsyncIterable Collection deque defaultdict OrderedDict Array ReadonlyArray Map ReadonlyMap ReadonlySet Record IterableIterator WeakMap ' +
    'AsyncIterableIterator'
  ).split(' '),
);

export const primitiveTypes = new Set(
  (
    'str int float bool bytes None Any object complex bytearray string number boolean void any unknown never undefined null bigint symbol Literal ' +
    'true false this Self Callable Function'
  ).split(' '),
);
