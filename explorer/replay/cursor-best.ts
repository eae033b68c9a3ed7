// The best prices and the last trade at the cursor, as the ladder shows them.

import { signal } from '@preact/signals'
import type { Trade } from '../data/columns/trade-columns.ts'

export type LastTrade = Pick<Trade, 'price' | 'size' | 'side'>

/** Dollars, NaN where a side is empty. The signal is null while the book at the cursor is unknown. */
export const cursorBest = signal<CursorBest | null>(null)

type CursorBest = { ms: number; bid: number; ask: number; last: LastTrade | null }
