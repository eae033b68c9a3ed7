// Heights of the lower panes that the reader chose by dragging, saved on this device.

import { signal } from '@preact/signals'

const NAME = 'backbook-panes'
export const [LEAST_PX, MOST_PX] = [30, 400]

const heights = signal<Readonly<Record<string, number>>>(heightsIn(localStorage.getItem(NAME)))

/** Returns the height of a pane, px: the chosen one, else `defaultPx`. Reads a signal. */
export const paneHeight = (label: string, defaultPx: number): number => heights.value[label] ?? defaultPx

/** Saves a height, px, within the limits; null for the default. */
export function setPaneHeight(label: string, px: number | null): void {
  const { [label]: _, ...others } = heights.peek()
  heights.value = px === null ? others : { ...others, [label]: Math.round(Math.max(LEAST_PX, Math.min(MOST_PX, px))) }
  localStorage.setItem(NAME, JSON.stringify(heights.value))
}

/** Reads the saved heights; drops what this version cannot read. */
function heightsIn(text: string | null): Record<string, number> {
  try {
    const saved = Object.entries(JSON.parse(text ?? '{}') as object)
    return Object.fromEntries(saved.filter(([, px]) => typeof px === 'number' && px >= LEAST_PX && px <= MOST_PX))
  } catch {
    return {}
  }
}
