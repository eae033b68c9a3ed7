// Where the pointer or the data cursor is on the charts of the page.

import { signal } from '@preact/signals'
import type { Crosshair } from './pane.tsx'

export const hovered = signal<Crosshair | null>(null)
