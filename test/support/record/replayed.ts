// Records into a store what another store replays.

import { openStore } from '../../../storage/open-store.ts'
import type { Venue } from '../../../storage/venue.ts'
import { serveReplay } from '../replay/replay-server.ts'
import { TestStore } from '../store.ts'
import { type Line, RecorderRun } from './recorder-run.ts'

export type Replayed = { copy: TestStore; lines: Line[]; stats: RecorderRun['stats']; close(): Promise<void> }

const PATHS = { polymarket: '/replay/polymarket/ws/market', kalshi: '/replay/kalshi/trade-api/ws/v2' }

/** Replays all stored records of a venue as fast as possible, over `connections` connections. */
export async function replayed(
  original: TestStore,
  venue: Venue,
  connections = 1,
  own: Record<string, unknown> = {},
): Promise<Replayed> {
  using server = serveReplay(original.store)
  const { books, from, to } = await storedBooks(original, venue)
  const key = `bb_${'k'.repeat(43)}`
  const run = new RecorderRun({
    [venue]: {
      ws_url: `${server.url}${PATHS[venue]}?from=${from}&to=${to}&speed=0&key=${key}`,
      [venue === 'polymarket' ? 'asset_ids' : 'tickers']: books,
      per_connection: Math.ceil(books.length / connections),
      // A replay at full speed may keep this process busy.
      pingMs: 10_000,
      pongMs: 10_000,
    },
    own,
    endsWithVenues: true,
    isLoaded: true,
  })
  await run.recorder.finished
  const lines = await run.stop()
  const copy = new TestStore(() => openStore(run.folder))
  const close = async () => {
    await copy.close()
    run.remove()
  }
  return { copy, lines, stats: run.stats, close }
}

/** Returns the tokens or tickers of a venue, and the first and last date that have records of them. */
async function storedBooks(original: TestStore, venue: Venue): Promise<{ books: string[]; from: string; to: string }> {
  const { markets } = await original.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 10_000 })
  const books = new Set<string>()
  const dates: string[] = []
  for (const market of markets) {
    for (const { date, head } of await original.store.catalogue.heads(venue, market)) {
      dates.push(date)
      for (const { id } of head.books) books.add(venue === 'kalshi' ? market : id)
    }
  }
  dates.sort()
  return { books: [...books], from: dates[0]!, to: dates.at(-1)! }
}
