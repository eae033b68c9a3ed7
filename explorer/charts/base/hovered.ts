// Position of the pointer or the data cursor on the charts of the page.

import { signal } from '@preact/signals'

/** `value` is null if the pointer is in another pane. */
export type Crosshair = { ms: number; value: number | null; pane: string }

export const hovered = signal<Crosshair | null>(null)
