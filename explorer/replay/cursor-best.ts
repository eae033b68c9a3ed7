// The best prices and the last trade at the cursor, as the ladder has them.

import { signal } from '@preact/signals'
import type { Trade } from '../data/columns/trade-columns.ts'

export type LastTrade = Pick<Trade, 'price' | 'size' | 'side'>

/** Dollars, NaN where there is none. Null while the book there is not known. */
export const cursorBest = signal<CursorBest | null>(null)

type CursorBest = { ms: number; bid: number; ask: number; last: LastTrade | null }
