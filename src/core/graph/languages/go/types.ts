import { closing, splitTop } from '../../brackets';

const primitives = new Set(
  (
    'bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64 complex128 ' +
    'error any comparable'
  ).split(' '),
);

/**
 * A Go type, or one of several results, in the notation of the linker: `*T` as `T`, `[]T` and channels as `Array<T>`,
 * `map[K]V` as `Map<K, V>`, a function as `() => R`.
 *
 * @param result which result of `(A, error)` is meant, from 0
 */
export function goTypeText(text: string, result = 0): string {
  let type = text.trim();
  const isList = type.startsWith('(') && closing(type, 0) === type.length - 1;
  if (!isList && result > 0) return 'any';
  if (isList) type = withoutName(splitTop(type.slice(1, -1))[result] ?? 'any');
  return notation(type, 0);
}

function notation(text: string, depth: number): string {
  const type = text.trim().replace(/^(?:\.\.\.|[*~&]|\s)+/, '');
  if (depth > 12 || type === '') return 'any';
  const list = /^\[[^\]]*\]/.exec(type);
  if (list) return `Array<${notation(type.slice(list[0].length), depth + 1)}>`;
  const channel = /^(?:<-\s*chan|chan\s*<-|chan)\b\s*/.exec(type);
  if (channel) return `Array<${notation(type.slice(channel[0].length), depth + 1)}>`;
  if (type.startsWith('map[')) {
    const end = closing(type, 3);
    const key = notation(type.slice(4, end), depth + 1);
    return `Map<${key}, ${notation(type.slice(end + 1), depth + 1)}>`;
  }
  if (/^func\s*\(/.test(type)) {
    const end = closing(type, type.indexOf('('));
    return `() => ${goTypeText(type.slice(end + 1) || 'any')}`;
  }
  if (type.startsWith('(')) return notation(type.slice(1, -1), depth + 1);
  if (/^(struct|interface)\b/.test(type) || primitives.has(type)) return 'any';
  const generic = /^([\w.]+)\[([\s\S]*)\]$/.exec(type);
  if (!generic) return type;
  const given = splitTop(generic[2]!).map((argument) => notation(argument, depth + 1));
  return `${generic[1]}<${given.join(', ')}>`;
}

/** `x int` of named results without the name. */
function withoutName(result: string): string {
  const named = /^[\p{L}_]\w*\s+(?=[\w*[(<])/u.exec(result);
  return named && !/^(chan|func|map|struct|interface)\b/.test(result) ? result.slice(named[0].length) : result;
}
