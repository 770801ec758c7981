/** One line of a traceback. */
export interface Frame {
  path: string;
  line: number;
  /** Name of the function as the traceback gives it, when it does. */
  name: string | null;
}

const PYTHON = /File "([^"\n]{1,400})", line (\d{1,7})(?:, in ([^\s\n]{1,200}))?/g;
const NODE =
  /^\s*at (?:async )?(?:(?:new )?([\w$.<>[\] ]{1,200}?) (?:\[as [^\]]+\] )?\()?(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():]{1,400}):(\d{1,7}):\d{1,7}\)?/gm;
// Two lines of a Go stack: the function with its arguments, then the file behind a tab.
const GO =
  /^(?:created by )?([\w./*()[\]-]{1,300}?)(?:\([^()\n]*\)|\s+in goroutine \d+)?\n\t([^\s:]{1,400}\.go):(\d{1,7})/gm;
// A Rust backtrace with its number, and the place of a panic, which stands before it.
const RUST = /^\s*\d{1,4}:\s+(?:0x[\da-f]+ - )?([^\n]{1,300})\n\s+at ([^\s:]{1,400}\.rs):(\d{1,7})/gm;
const PANIC = /panicked at (?:'[^'\n]*', )?([^\s:']{1,400}\.rs):(\d{1,7})/g;
const MOST_FRAMES = 200;

/** Frames of the tracebacks in a text (Python, Node.js, Go, Rust), the innermost of each first. */
export function framesIn(text: string): Frame[] {
  const python = text.includes('File "') ? [...text.matchAll(PYTHON)].slice(-MOST_FRAMES).reverse() : [];
  const at = /^\s*at /m.test(text) ? [...text.matchAll(NODE)].slice(0, MOST_FRAMES) : [];
  // Rust writes the place of a frame in the same way.
  const node = at.filter(([, , path = '']) => !path.endsWith('.rs'));
  const go = text.includes('.go:') ? [...text.matchAll(GO)].slice(0, MOST_FRAMES) : [];
  const rust = text.includes('.rs:') ? [...text.matchAll(PANIC), ...text.matchAll(RUST)].slice(0, MOST_FRAMES) : [];
  return [
    ...python.map(([, path = '', line, name]) => ({ path, line: Number(line), name: name ?? null })),
    ...node.map(([, name, path = '', line]) => ({ path, line: Number(line), name: lastOf(name) })),
    ...go.map(([, name, path = '', line]) => ({
      path,
      line: Number(line),
      name: lastOf(name?.replace(/\.func\d+.*$/, '')),
    })),
    ...rust.map((found) =>
      found[3] === undefined
        ? { path: found[1] ?? '', line: Number(found[2]), name: null }
        : {
            path: found[2] ?? '',
            line: Number(found[3]),
            name: lastOf(found[1]?.replace(/::h[\da-f]{16}$|::\{\{closure\}\}/g, '')),
          },
    ),
  ];
}

function lastOf(name: string | undefined): string | null {
  return name?.split(/\.|::/).at(-1) ?? null;
}

/** Frames of libraries and of the runtime itself are none of the harness. */
export function isForeign({ path }: Frame): boolean {
  return /node_modules|^node:|<frozen|<string>|\/rustc\/|\.cargo\/registry|\/go\/pkg\/mod/.test(path);
}
