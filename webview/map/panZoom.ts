import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Box, Layout } from './layout';
import { fitted, showing, type Viewport, zoomed } from './viewport';

interface Options {
  frame: { current: HTMLElement | null };
  layer: { current: HTMLElement | null };
  layout: Layout;
  viewport: { current: Viewport | null };
  onMoved(): void;
}

/** After this pause a moved map is drawn sharply again; until then its picture is only shifted. */
const stillMs = 160;

/** Below this scale titles cannot be read; a first look shows part of a large map rather than all of it as dust. */
const readable = 0.62;

/**
 * Moves and scales the layer by wheel, drag and call. Only the transform of one element changes, without drawing the
 * components again.
 */
export function usePanZoom({ frame, layer, layout, viewport, onMoved }: Options) {
  const saving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // What was made for a layout lives on while the page around it changes.
  const moved = useRef(onMoved);
  moved.current = onMoved;
  useEffect(() => () => clearTimeout(saving.current), []);
  const size = () => ({ width: frame.current?.clientWidth ?? 0, height: frame.current?.clientHeight ?? 0 });
  const apply = () => {
    if (!layer.current) return;
    const { width } = size();
    if (!viewport.current && width > 0) viewport.current = firstLook(layout, width);
    const { x, y, scale } = viewport.current ?? { x: 0, y: 0, scale: 1 };
    layer.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  };
  const change = (next: Viewport | null) => {
    if (!next || next === viewport.current) return;
    viewport.current = next;
    apply();
    clearTimeout(saving.current);
    saving.current = setTimeout(() => moved.current(), stillMs);
  };

  useEffect(() => {
    const element = frame.current;
    if (!element?.addEventListener) return undefined;
    let still: ReturnType<typeof setTimeout> | undefined;
    const moving = () => {
      element.classList.add('moving');
      clearTimeout(still);
      still = setTimeout(() => element.classList.remove('moving'), stillMs);
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      moving();
      const view = viewport.current;
      if (!view) return;
      const area = element.getBoundingClientRect();
      const at = { x: event.clientX - area.left, y: event.clientY - area.top };
      if (event.ctrlKey || event.metaKey) change(zoomed(view, Math.exp(-event.deltaY / 300), at));
      else if (event.shiftKey) change({ ...view, x: view.x - event.deltaY });
      else change({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY });
    };
    let from: { x: number; y: number; view: Viewport } | null = null;
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !viewport.current || (event.target as Element).closest('.node, button')) return;
      from = { x: event.clientX, y: event.clientY, view: viewport.current };
      element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      if (!from) return;
      moving();
      change({ ...from.view, x: from.view.x + event.clientX - from.x, y: from.view.y + event.clientY - from.y });
    };
    const up = () => {
      from = null;
    };
    // Not passive: the page must not scroll instead.
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    return () => {
      clearTimeout(still);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
    };
  }, [layout]);

  return useMemo(
    () => ({
      apply,
      show: (box: Box | undefined) => {
        const { width, height } = size();
        if (box && viewport.current && width > 0) change(showing(viewport.current, box, width, height));
      },
      zoom: (factor: number) => {
        const { width, height } = size();
        if (viewport.current) change(zoomed(viewport.current, factor, { x: width / 2, y: height / 2 }));
      },
      fit: () => {
        const { width, height } = size();
        change(fitted({ x: 0, y: 0, width: layout.width, height: layout.height }, width, height));
      },
    }),
    [layout],
  );
}

/** The run from its upper left corner, as large as its width allows and at most at full size: titles must be readable. */
function firstLook(layout: Layout, width: number): Viewport {
  return fitted({ x: 0, y: 0, width: layout.width, height: 1 }, width, Number.POSITIVE_INFINITY, {
    smallest: readable,
    largest: 1,
  });
}
