// Heights of the lower panes that the reader chose by dragging, saved on this device.

import { signal } from '@preact/signals'
import { savedJson } from '../../state/saved-json.ts'

const NAME = 'backbook-panes'
export const [LEAST_PX, MOST_PX] = [30, 400]

/** Drops heights that this version cannot read. */
const saved = Object.entries(savedJson(NAME) ?? {}).filter(
  ([, px]) => typeof px === 'number' && px >= LEAST_PX && px <= MOST_PX,
)
const heights = signal<Readonly<Record<string, number>>>(Object.fromEntries(saved))

/** Returns the height of a pane, px: the chosen one, else `defaultPx`. Reads a signal. */
export const paneHeight = (label: string, defaultPx: number): number => heights.value[label] ?? defaultPx

/** Saves a height, px, within the limits; null for the default. */
export function setPaneHeight(label: string, px: number | null): void {
  const { [label]: _, ...others } = heights.peek()
  heights.value = px === null ? others : { ...others, [label]: Math.round(Math.max(LEAST_PX, Math.min(MOST_PX, px))) }
  localStorage.setItem(NAME, JSON.stringify(heights.value))
}
