// DIR/recorder/markets-<venue>.ndjson: the markets that were known, so that they are recorded at once after a restart.
// The first line says what they were selected by: with another selection they are found anew.

import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Venue } from '../../../storage/venue.ts'
import { RECORDER_FOLDER } from '../status/status-file.ts'
import type { KnownMarket } from './market-keeper.ts'

const FORMAT = 1
/** Lines that are printed before others get their turn: a whole venue has hundreds of thousands. */
const LINES_AT_ONCE = 500

export type SetPlace = {
  folder: string
  venue: Venue
  /** Equal texts select the same. */
  selection: string
}
export type SavedSet = {
  /** Unix ms. */
  savedMs: number
  markets: KnownMarket[]
}

const pathOf = ({ folder, venue }: SetPlace) => join(folder, RECORDER_FOLDER, `markets-${venue}.ndjson`)

/** Throws errors of the file system. What stood there stays until all is written. */
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
    // The markets may change while they are written.
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

/** Null where there is none, it was selected by something else, or it cannot be read: then a scan finds it. */
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

/** Throws Error for what is no market. */
function marketOf(value: unknown): KnownMarket {
  const market = value as KnownMarket
  const hasBooks = Array.isArray(market.books) && market.books.every((book) => typeof book === 'string')
  if (typeof market.market !== 'string' || typeof market.said !== 'string' || !hasBooks) throw new Error('no market')
  return market
}
