// Makes a random date of a market. Two or three sources receive different books, and the date shows them in turn.

import type { Venue } from '../../../storage/venue.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { END_MS, MARKETS, type MadeSource, SourceMaker, START_MS } from './made-source.ts'
import type { MadeSpan } from './switched-day.ts'

const TOKENS = ['101', '202', '303']

export type MadeDay = { spans: MadeSpan[]; books: readonly string[]; random: Random }

const SPARSE = { count: 160, stepsMs: [0, 0, 1, 40, 900, 4_000] }
/** Enough records for blocks that have rollups. */
export const DENSE = { count: 40_000, stepsMs: [0, 0, 1, 4, 20] }

/** Makes a date. Each source has at most `count` records; `stepsMs` are the possible times between two records, ms. */
export function madeDay(venue: Venue, seed: number, { count, stepsMs } = SPARSE): MadeDay {
  const random = new Random(seed, `switched ${venue}`)
  const books = venue === 'kalshi' ? [MARKETS.kalshi] : TOKENS
  const sources = Array.from({ length: random.between(2, 3) }, (_, i) => {
    const received = venue === 'kalshi' ? books : books.filter((_, book) => book !== i)
    return new SourceMaker(venue, received, `${seed} ${venue} ${i}`).make(count, stepsMs)
  })
  return { spans: spansOf(sources, books, random), books, random }
}

function spansOf(sources: readonly MadeSource[], books: readonly string[], random: Random): MadeSpan[] {
  const spans: MadeSpan[] = []
  let fromMs = START_MS
  let turn = random.below(sources.length)
  while (fromMs < END_MS) {
    const source = sources[turn]!
    const toMs = fromMs + random.between(500, 60_000)
    const from = placeAt(source, fromMs)
    const to = placeAt(source, toMs)
    turn = (turn + random.between(1, sources.length - 1)) % sources.length
    // A span without records is left out.
    if (to > from) {
      const isAtRecord = spans.length > 0 && source.entries[from]!.kind !== 'gap' && random.chance(0.2)
      spans.push({
        source,
        fromMs: isAtRecord ? source.entries[from]!.ms : fromMs,
        from,
        to,
        doubted: doubted(books, random),
      })
    }
    fromMs = toMs
  }
  return spans
}

const doubted = (books: readonly string[], random: Random) => books.filter(() => random.chance(0.2))

/** Returns the index of the first record at or after an instant. */
function placeAt({ entries }: MadeSource, ms: number): number {
  const place = entries.findIndex((each) => each.ms >= ms)
  return place < 0 ? entries.length : place
}
