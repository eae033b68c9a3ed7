// The best prices at the cursor, as the ladder has them.

import { signal } from '@preact/signals'

/** Dollars, NaN where there is none. Null while the book there is not known. */
export const cursorBest = signal<{ ms: number; bid: number; ask: number } | null>(null)
