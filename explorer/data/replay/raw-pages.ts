// The cache of pages of raw records; each record is byte for byte as the API prints it.

import type { BookId } from '../../state/view.ts'
import { SHOWN } from '../../venues.ts'
import { AnswerCache, type Entry } from '../answer-cache.ts'
import { ask } from '../ask.ts'
import { isSince, marketPath, marketQuery } from '../book-query.ts'

/** Records per page, of all books of the market. */
export const PAGE_RECORDS = 256

export type RawRecord = {
  /** The record number within the date. */
  record: number
  ms: number
  type: string
  /** The asset id of the record's book; null if the record concerns the whole market; undefined without asset ids. */
  asset: string | null | undefined
  line: string
}

export type RawPage = { records: readonly RawRecord[]; bytes: number }

const BYTES_MAX = 16 * 1024 * 1024
const cache = new AnswerCache<RawPage>(BYTES_MAX, ({ bytes }) => bytes)

const startOf = ({ venue, market }: BookId) => `${venue} ${market} `
const nameOf = (book: BookId, date: string, index: number) => `${startOf(book)}${date} ${index}`

export const rawPage = (book: BookId, date: string, index: number): Entry<RawPage> =>
  cache.take(nameOf(book, date, index), (signal) => load(book, date, index, signal))

/** Marks the last pages of the dates from an instant on as stale: they may have grown. */
export const renewRaw = (book: BookId, sinceMs: number): void =>
  cache.renew((name, page) => isSince(name, startOf(book), sinceMs) && page?.records.length !== PAGE_RECORDS)

export const forgetRaw = (book: BookId): void => cache.forget((name) => name.startsWith(startOf(book)))

/** Returns whether the API has raw records of a date. */
export const hasRaw = ({ venue }: BookId, date: string): boolean => date >= (SHOWN[venue].rawFromDate ?? '')

/** Returns whether a record belongs to a book, or to all books of its market. */
export const isOf = ({ asset }: BookId, record: RawRecord): boolean => record.asset == null || record.asset === asset

async function load(book: BookId, date: string, index: number, signal: AbortSignal): Promise<RawPage> {
  const offset = index * PAGE_RECORDS
  const query = { ...marketQuery(book), date, offset, limit: PAGE_RECORDS, format: 'ndjson' }
  const text = await (await ask(marketPath(book, 'data'), query, signal)).text()
  return { records: rawRecordsOf(text, offset), bytes: 2 * text.length }
}

/** `text` has one record per line; `offset` is the number of the first record. */
function rawRecordsOf(text: string, offset: number): RawRecord[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line, i) => {
    const { timestamp, type, asset_id } = JSON.parse(line) as Printed
    return { record: offset + i, ms: timestamp, type, asset: asset_id, line }
  })
}

type Printed = { timestamp: number; type: string; asset_id?: string | null }
