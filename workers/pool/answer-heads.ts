// The figures of an answer, which its envelope begins with, and the answer as it is computed.

import type { Position } from '../requests.ts'

export type SummaryHead = { dataPoints: number }
export type PageHead = { dataCount: number; hasMore: boolean; totalCount: number | null; next: Position | null }

/** All reading is done; the chunks are the JSON array, encoded as they are taken. */
export type ChunkedAnswer<Head> = { head: Head; chunks: Iterator<Uint8Array> }
