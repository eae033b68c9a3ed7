// Position of the pointer or the data cursor on the charts of the page.

import { signal } from '@preact/signals'

/** `pane` is the pane that shows the horizontal line, at `value`. `value` is null if no value is known at `ms`. */
export type Crosshair = { ms: number; value: number | null; pane: string }

export const hovered = signal<Crosshair | null>(null)
