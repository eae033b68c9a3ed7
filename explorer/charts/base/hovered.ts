// Where the pointer or the data cursor is on the charts of the page.

import { signal } from '@preact/signals'

/** `value` is null where the pointer is in another pane. */
export type Crosshair = { ms: number; value: number | null; pane: string }

export const hovered = signal<Crosshair | null>(null)
