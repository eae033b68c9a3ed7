// Reads and writes DIR/recorder/markets-<venue>.ndjson: the known markets, which are recorded at once after a restart.
// The first line has the selection. If it differs from the configured one, the file is ignored and a scan finds the
// markets.

import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Venue } from '../../../storage/venue.ts'
import { RECORDER_FOLDER } from '../status/status-file.ts'
import type { KnownMarket } from './market-keeper.ts'

const FORMAT = 1
/** Lines in one write. A whole venue has hundreds of thousands, and each write yields to the event loop. */
const LINES_AT_ONCE = 500

export type SetPlace = {
  folder: string
  venue: Venue
  /** Equal texts select the same markets. */
  selection: string
}
export type SavedSet = {
  /** Unix ms. */
  savedMs: number
  markets: KnownMarket[]
}

const pathOf = ({ folder, venue }: SetPlace) => join(folder, RECORDER_FOLDER, `markets-${venue}.ndjson`)

/** Writes the markets to a temporary file and then replaces the old one. Throws errors of the file system. */
export async function saveSet(
  place: SetPlace,
  { savedMs, markets }: { savedMs: number; markets: Iterable<KnownMarket> },
) {
  mkdirSync(join(place.folder, RECORDER_FOLDER), { recursive: true, mode: 0o700 })
  const part = `${pathOf(place)}.${process.pid}.part`
  const file = await open(part, 'w', 0o600)
  try {
    const { venue, selection } = place
    let lines = [JSON.stringify({ format: FORMAT, venue, selection, saved_at: savedMs })]
    // Copies the list, since the markets may change while they are written.
    for (const market of [...markets]) {
      lines.push(JSON.stringify(market))
      if (lines.length < LINES_AT_ONCE) continue
      await file.write(`${lines.join('\n')}\n`)
      lines = []
    }
    await file.write(lines.length === 0 ? '' : `${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  renameSync(part, pathOf(place))
}

/** Reads the file. Returns null if it does not exist, has another selection, or cannot be read: then a scan finds the
 *  markets. */
export function readSet(place: SetPlace): SavedSet | null {
  try {
    const [head, ...markets] = readFileSync(pathOf(place), 'utf8').trimEnd().split('\n')
    const saved = headOf(JSON.parse(head!), place)
    return saved && { ...saved, markets: markets.map((line) => marketOf(JSON.parse(line))) }
  } catch {
    return null
  }
}

function headOf(value: unknown, { venue, selection }: SetPlace): SavedSet | null {
  const head = value as { format?: unknown; venue?: unknown; selection?: unknown; saved_at?: unknown }
  const isOurs = head.format === FORMAT && head.venue === venue && head.selection === selection
  return isOurs && typeof head.saved_at === 'number' ? { savedMs: head.saved_at, markets: [] } : null
}

/** Throws Error if the value is not a market. */
function marketOf(value: unknown): KnownMarket {
  const market = value as KnownMarket
  const hasBooks = Array.isArray(market.books) && market.books.every((book) => typeof book === 'string')
  if (typeof market.market !== 'string' || typeof market.said !== 'string' || !hasBooks) throw new Error('no market')
  return market
}
