import { closing, splitTop } from '../../brackets';

/** Types that stand for what they hold: pointers, locks, futures and the two that may fail. */
const wrappers = new Set(
  (
    'Arc Rc Box Option Result Pin Cow Mutex RwLock RefCell Cell OnceCell OnceLock LazyLock Lazy Weak Ref RefMut MutexGuard RwLockReadGuard ' +
    'RwLockWriteGuard OwnedMutexGuard Poll JoinHandle Ready BoxFuture LocalBoxFuture ArcSwap Extension State Json Data ManuallyDrop Saturating'
  ).split(' '),
);
const lists = new Set(
  (
    'Vec VecDeque HashSet BTreeSet IndexSet BinaryHeap LinkedList SmallVec Iter IntoIter Receiver UnboundedReceiver BoxStream ' +
    'LocalBoxStream ReceiverStream JoinSet FuturesUnordered FuturesOrdered NonEmpty OneOrMany'
  ).split(' '),
);
const maps = new Set('HashMap BTreeMap IndexMap DashMap FxHashMap AHashMap'.split(' '));
const primitives =
  /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|str|String|PathBuf|Path|OsString|OsStr|Duration|Instant|_|!|Value|Error)$/;
/** Bounds that every type may have; they say nothing about what can be called. */
const markers =
  /^(?:Send|Sync|Sized|\?Sized|Unpin|Copy|Clone|Debug|Display|Default|PartialEq|Eq|Hash|Ord|PartialOrd|Serialize|Deserialize|DeserializeOwned|'\w+|Any)\b/;

/**
 * A Rust type, or one of a tuple, in the notation of the linker: `Arc<dyn T>`, `Option<T>` and `Result<T, E>` as `T`,
 * `Vec<T>` as `Array<T>`, `HashMap<K, V>` as `Map<K, V>`, `impl Fn(A) -> R` as `() => R`, bounds as alternatives.
 *
 * @param result which part of a tuple is meant, from 0
 */
export function rustTypeText(text: string, result = 0): string {
  return notation(text, result, 0);
}

function notation(text: string, result: number, depth: number): string {
  const type = text
    .trim()
    .replace(/^(?:[&*]|'\w+\s+|(?:mut|dyn|impl|const|unsafe|async)\b\s*|for<[^>]*>\s*|\s)+/, '')
    .trim();
  if (depth > 12 || type === '') return 'any';
  const bounds = splitTop(type, '+').filter((bound) => !markers.test(bound));
  if (bounds.length > 1) return bounds.map((bound) => notation(bound, result, depth + 1)).join(' | ');
  const only = bounds[0] ?? 'any';
  if (only.startsWith('(')) {
    const parts = splitTop(only.slice(1, closing(only, 0)));
    return parts.length === 0 ? 'any' : notation(parts[result] ?? 'any', 0, depth + 1);
  }
  if (only.startsWith('['))
    return `Array<${notation(splitTop(only.slice(1, closing(only, 0)), ';')[0] ?? 'any', 0, depth + 1)}>`;
  const callable = /^(?:Fn|FnMut|FnOnce|AsyncFn\w*|(?:extern\s+"\w+"\s+)?fn)\s*\(/.exec(only);
  if (callable) {
    const end = closing(only, callable[0].length - 1);
    const returns = /^\s*->\s*([\s\S]*)$/.exec(only.slice(end + 1))?.[1];
    return `() => ${returns ? notation(returns, 0, depth + 1) : 'any'}`;
  }
  if (primitives.test(only)) return 'any';
  if (only.startsWith('<')) return 'any';
  return pathNotation(only, result, depth);
}

function pathNotation(type: string, result: number, depth: number): string {
  const generic = /^([\w:]+?)(?:::)?<([\s\S]*)>$/.exec(type);
  const path = (generic?.[1] ?? type).replace(/\s/g, '');
  // An associated type mostly has the name of the trait it is bound by.
  const name = /^(?:Self|[A-Z])::(\w+)$/.exec(path)?.[1] ?? path;
  const last = name.slice(name.lastIndexOf(':') + 1);
  const given = generic ? splitTop(generic[2]!).filter((argument) => !argument.startsWith("'")) : [];
  const item = given.map((argument) => /^(?:Item|Output)\s*=\s*([\s\S]*)$/.exec(argument)?.[1]).find(Boolean);
  if (item && /Future$/.test(last)) return notation(item, result, depth + 1);
  if (item) return `Array<${notation(item, 0, depth + 1)}>`;
  const held = given.length > 0 ? notation(given[0]!, wrappers.has(last) ? result : 0, depth + 1) : 'any';
  if (wrappers.has(last) || /Result$/.test(last)) return given.length > 0 ? held : 'any';
  if (/^(?:\w*Stream|ResultStream)$/.test(last) && given.length > 0) return `Array<${held}>`;
  if (lists.has(last)) return `Array<${held}>`;
  if (maps.has(last)) return `Map<any, ${given[1] ? notation(given[1], 0, depth + 1) : 'any'}>`;
  return pathChain(name);
}

/** `a::B` as the chain `::a.B`, `B` as it is: a path that begins with a module is marked. */
export function pathChain(path: string): string {
  const plain = path.replace(/^::/, '').replace(/::/g, '.');
  return plain.includes('.') && /^[a-z_]/.test(plain) ? `::${plain}` : plain;
}
