import type { Box } from './layout';

/** What part of the map is on the screen: the map is scaled by `scale` and then moved by `x` and `y`. */
export interface Viewport {
  x: number;
  y: number;
  scale: number;
}

export const smallest = 0.2;
export const largest = 2;
const margin = 24;
/** Room above a box that is brought into sight, for the head of its stage. */
const headRoom = 68;

/** The viewport with a box of the map in the middle of a screen, as large as it fits, within bounds. */
export function fitted(box: Box, width: number, height: number, bounds = { smallest, largest: 1 }): Viewport {
  const fits = Math.min((width - 2 * margin) / Math.max(1, box.width), (height - 2 * margin) / Math.max(1, box.height));
  const scale = clamp(fits, bounds.smallest, bounds.largest);
  return {
    scale,
    // What does not fit begins at its upper left corner: that is where reading begins.
    x:
      box.width * scale + 2 * margin <= width
        ? (width - box.width * scale) / 2 - box.x * scale
        : margin - box.x * scale,
    y: margin - box.y * scale,
  };
}

/** The viewport scaled by a factor around a point of the screen, which stays where it is. */
export function zoomed(view: Viewport, factor: number, at: { x: number; y: number }): Viewport {
  const scale = clamp(view.scale * factor, smallest, largest);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** The viewport moved as little as brings a box of the map onto the screen; the same object when it is there. */
export function showing(view: Viewport, box: Box, width: number, height: number): Viewport {
  const left = box.x * view.scale + view.x;
  const top = box.y * view.scale + view.y;
  const dx = shift(left, box.width * view.scale, width, margin);
  const dy = shift(top, box.height * view.scale, height, headRoom);
  return dx === 0 && dy === 0 ? view : { ...view, x: view.x + dx, y: view.y + dy };
}

/** How far a piece of this start and length must move to lie inside `size` with a margin, the first one before it. */
function shift(start: number, length: number, size: number, before: number): number {
  if (start < before) return before - start;
  const over = start + length + margin - size;
  // A piece longer than the screen shows its start.
  return over > 0 ? -Math.min(over, start - before) : 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
