// Writes the chosen days of the chosen markets for a target. Files that exist and are still right stay unchanged.

import { createHash } from 'node:crypto'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { dayVersionOf } from '../../workers/files/day-file.ts'
import { CommandError, EXIT } from '../command-error.ts'
import type { ChosenMarket } from './choose-days.ts'
import type { ExportFolder, MadeFile } from './export-folder.ts'
import type { NewFiles } from './new-files.ts'
import { partOfPath } from './part-of-path.ts'
import type { Counts, ExportTarget } from './target.ts'

export type ExportOrder = {
  target: ExportTarget
  markets: readonly ChosenMarket[]
  assetId: string | undefined
  /** The values of all flags that only this target takes, by name. */
  options: Readonly<Record<string, string>>
}

export type ExportReport = {
  markets: number
  days: number
  /** Days whose files were already right. */
  unchangedDays: number
  files: number
  rows: number
  bytes: number
  /** Counts over all days, including the unchanged ones. */
  figures: Counts
}

const TRIES = 5

/** Calls `onDay` after each day. Rejects with CommandError, and with DataError: block_corrupt, disk_full. */
export async function runExport(
  store: Store,
  folder: ExportFolder,
  order: ExportOrder,
  onDay: (days: number) => void = () => {},
): Promise<ExportReport> {
  const { target, markets } = order
  const storeId = digestOf(await store.catalogue.cursorSecret())
  folder.assertOptions(target.name, order.options)
  const report = { markets: markets.length, days: 0, unchangedDays: 0, files: 0, rows: 0, bytes: 0 }
  const figures = new Map<string, number>()
  const count = (files: readonly MadeFile[]) => {
    report.files += files.length
    report.rows += files.reduce((sum, { rows }) => sum + rows, 0)
    report.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  for (const chosen of markets) {
    for (const date of chosen.dates) {
      const { isNew, ...recorded } = await exportDay(store, folder, order, { ...chosen, date, storeId })
      for (const [name, count] of Object.entries(recorded.figures)) figures.set(name, (figures.get(name) ?? 0) + count)
      report.unchangedDays += isNew ? 0 : 1
      count(recorded.files)
      onDay(++report.days)
    }
    count(await exportMarket(folder, order, chosen))
  }
  return { ...report, figures: Object.fromEntries(figures) }
}

type OneDay = ChosenMarket & { date: string; storeId: string }

/** Makes all files of a day from the same version of the day. */
async function exportDay(store: Store, folder: ExportFolder, order: ExportOrder, chosen: OneDay) {
  const name = nameOf(order, chosen, chosen.date)
  for (let tries = 0; tries < TRIES; tries++) {
    const head = await headOf(store, chosen, chosen.date)
    const day = dayOf(order, chosen, head, folder.booksOf(name))
    const { books } = day
    const made = madeOf(order, [
      chosen.storeId,
      dayVersionOf(head),
      books,
      order.target.reads?.(chosen.venue, chosen.known) ?? null,
    ])
    const recorded = folder.record(name)
    if (recorded?.made === made) return { ...recorded, isNew: false }
    const files = folder.begin()
    const { figures, notes = {} } = await orAbort(files, () => order.target.writeDay(store, day, files.begin))
    const now = await headOf(store, chosen, chosen.date)
    if (dayVersionOf(now) === dayVersionOf(head)) {
      return { figures, notes, files: folder.keep(name, files, { made, figures, notes, books }), isNew: true }
    }
    files.abort()
    store.refresh()
  }
  throw new CommandError(
    `the day ${chosen.date} of ${chosen.market} changes faster than it is read: run it again`,
    EXIT.failed,
  )
}

/** Writes the files of a market that belong to no date. */
async function exportMarket(
  folder: ExportFolder,
  order: ExportOrder,
  { venue, market, known }: ChosenMarket,
): Promise<readonly MadeFile[]> {
  const { target, options } = order
  const { writeMarket } = target
  if (writeMarket === undefined) return []
  const name = daysOf(order, { venue, market })
  const below = folder.recordsBelow(name)
  const days = new Map(Array.from(below, ([date, { notes }]) => [date, notes]))
  const made = madeOf(order, [known ?? null, [...days]])
  const recorded = folder.record(name)
  if (recorded?.made === made) return recorded.files
  const files = folder.begin()
  return orAbort(files, async () => {
    const figures = writeMarket({ venue, market, known, options, days }, files.begin)
    return folder.keep(name, files, { made, figures, notes: {} })
  })
}

async function orAbort<T>(files: NewFiles, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    files.abort()
    throw error
  }
}

/** Returns the day to export. If one token is requested, also includes the tokens that the folder already has
 *  (`before`), so that no run removes the files of another run. */
function dayOf(
  { assetId, options }: ExportOrder,
  { venue, market, known, date }: Omit<OneDay, 'storeId'>,
  head: PartitionHead,
  before: readonly string[] = [],
) {
  const ids = head.books.map(({ id }) => id).sort()
  const books = assetId === undefined ? ids : ids.filter((id) => id === assetId || before.includes(id))
  return { venue, market, date, head, books, known, options }
}

async function headOf({ catalogue }: Store, { venue, market }: ChosenMarket, date: string): Promise<PartitionHead> {
  const head = await catalogue.head({ venue, market, date })
  if (head !== undefined) return head
  throw new CommandError(`the ${venue} market ${market} is no longer stored on ${date}`, EXIT.notStored)
}

const daysOf = ({ target }: ExportOrder, { venue, market }: Pick<ChosenMarket, 'venue' | 'market'>) =>
  `${target.name}/${venue}/${partOfPath(market)}`
const nameOf = (order: ExportOrder, market: ChosenMarket, date: string) => `${daysOf(order, market)}/${date}`

const madeOf = ({ target, options }: ExportOrder, from: unknown) =>
  digestOf(JSON.stringify([target.name, target.version, options, from]))

const digestOf = (of: string | Uint8Array) => createHash('sha256').update(of).digest('hex').slice(0, 32)
