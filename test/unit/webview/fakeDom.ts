import type { ComponentChild, ContainerNode } from 'preact';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { vi } from 'vitest';

type Listener = (event: object) => void;

/** As much of a DOM node as Preact touches. */
class FakeNode {
  parentNode: FakeNode | null = null;
  readonly childNodes: FakeNode[] = [];
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml';
  constructor(
    readonly nodeType: number,
    readonly localName: string | undefined,
    readonly ownerDocument: object,
    public data = '',
  ) {}

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    const around = this.parentNode?.childNodes ?? [];
    return around[around.indexOf(this) + 1] ?? null;
  }
  get textContent(): string {
    return this.nodeType === 3 ? this.data : this.childNodes.map((child) => child.textContent).join('');
  }
  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    node.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, node);
    node.parentNode = this;
    return node;
  }
  appendChild(node: FakeNode): FakeNode {
    return this.insertBefore(node, null);
  }
  removeChild(node: FakeNode): void {
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
  }
  remove(): void {
    this.parentNode?.removeChild(this);
  }
  contains(node: FakeNode | null): boolean {
    return node !== null && (node === this || this.contains(node.parentNode));
  }
}

/** An element that keeps its attributes and can be clicked, typed into and focused. */
export class FakeElement extends FakeNode {
  readonly attributes: { name: string; value: string }[] = [];
  readonly style = {};
  focused = 0;
  // Preact takes the case of an event's name from these.
  onclick = null;
  ondblclick = null;
  onkeydown = null;
  oninput = null;
  onchange = null;
  value: unknown = undefined;
  private readonly listeners = new Map<string, Listener>();

  setAttribute(name: string, value: unknown): void {
    this.removeAttribute(name);
    this.attributes.push({ name, value: String(value) });
  }
  removeAttribute(name: string): void {
    const at = this.attributes.findIndex((one) => one.name === name);
    if (at >= 0) this.attributes.splice(at, 1);
  }
  attribute(name: string): string | null {
    return this.attributes.find((one) => one.name === name)?.value ?? null;
  }
  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, listener);
  }
  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }
  focus(): void {
    this.focused++;
  }
  /** Sends an event to this element alone, and waits until the page is drawn again. */
  async fire(type: string, over: object = {}): Promise<void> {
    const event = { type, currentTarget: this, target: this, preventDefault: vi.fn(), altKey: false, ...over };
    await act(() => this.listeners.get(type)?.call(this, event));
  }
  key(key: string, over: object = {}): Promise<void> {
    return this.fire('keydown', { key, ctrlKey: false, metaKey: false, shiftKey: false, ...over });
  }
  /** Elements below that fit, in document order. */
  all(fits: (element: FakeElement) => boolean): FakeElement[] {
    return this.childNodes.flatMap((child) =>
      child instanceof FakeElement ? [...(fits(child) ? [child] : []), ...child.all(fits)] : [],
    );
  }
  /** The button (or other element) that says exactly this. @throws when there is none */
  saying(text: string): FakeElement {
    const found = this.all((element) => element.textContent.trim() === text).at(-1);
    if (!found) throw new Error(`Nothing says "${text}" in: ${this.textContent}`);
    return found;
  }
  withClass(name: string): FakeElement[] {
    return this.all((element) => (element.attribute('class') ?? '').split(' ').includes(name));
  }
}

/** Puts a fake document and window in place; call it before anything is drawn. */
export function installFakeDom(): void {
  const document = {
    createElementNS: (_space: string, name: string) => new FakeElement(1, name, document),
    createElement: (name: string) => new FakeElement(1, name, document),
    createTextNode: (data: string) => new FakeNode(3, undefined, document, data),
  };
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
}

/** Draws a component into a new root and runs its effects. */
export async function drawn(component: ComponentChild): Promise<FakeElement> {
  const root = new FakeElement(1, 'div', document);
  await act(() => render(component, root as unknown as ContainerNode));
  return root;
}
