// Makes a file of a day from a store.

import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { DataError } from '../../storage/failures.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { AnswerChunks } from '../chunked-answer.ts'
import { ANSWERING, countReleased } from '../collect-garbage.ts'
import { answerPage } from '../read/answer-page.ts'
import { encodeTable } from '../table/encode-table.ts'
import { readTrades } from '../trades/trades-page.ts'
import { tradesTable } from '../trades/trades-table.ts'
import { candlesTable } from './candles-table.ts'
import { type DayFileName, type DayFileRequest, dayVersionOf, type MadeDayFile } from './day-file.ts'
import { DigestedFile } from './digested-file.ts'

type Content = { rows: number; chunks: AnswerChunks }
type Read = (store: Store, request: DayFileRequest, head: PartitionHead) => Promise<Content>

/** Reads the content of each file. When the promise resolves, everything stored has been read. */
const READ: Record<DayFileName, Read> = {
  'records.ndjson.zst': async (store, { venue, market, date }, { recordCount }) => {
    const scope = { date, offset: 0 }
    const page = { venue, market, book: null, limit: recordCount, layout: 'lines', scope } as const
    const { head, chunks } = await answerPage(store, page)
    return { rows: head.dataCount, chunks }
  },
  'candles-1s.parquet': async (store, request, head) => {
    const { rows, table } = await candlesTable(store, request, head)
    return { rows, chunks: await asParquet(table, request) }
  },
  'trades.parquet': async (store, request) => {
    const { venue, market, date } = request
    const fromMs = dateStartMs(date)
    const all = { book: null, fromMs, toMs: fromMs + DAY_MS - 1, after: null, limit: Number.POSITIVE_INFINITY }
    const trades = await readTrades(store, { venue, market, ...all }, true)
    const read = { ...trades, blocks: [...trades.blocks].values() }
    return { rows: trades.count, chunks: await asParquet(tradesTable({ venue, market }, read), request) }
  },
}

const asParquet = (table: Parameters<typeof encodeTable>[0], { venue, date }: DayFileRequest) =>
  encodeTable(table, { format: 'parquet', metadata: { venue, date } })

/** Makes a file. Rejects with DataError: market_not_stored if nothing of the day is stored, block_corrupt, disk_full,
 *  and overloaded if the day changes faster than it can be read. */
export async function makeDayFile(store: Store, request: DayFileRequest): Promise<MadeDayFile> {
  const { dayVersion, rows, chunks } = await readDay(store, request)
  const file = new DigestedFile(request.folder)
  try {
    if (request.name.endsWith('.zst')) await writePacked(file, chunks)
    else await writePlain(file, chunks)
    return { bytes: file.bytes, sha256: file.finish(), rows, dayVersion }
  } catch (error) {
    file.abort()
    throw error
  }
}

const TRIES = 5

/** Reads the content from a single version of the day. */
async function readDay(store: Store, request: DayFileRequest): Promise<Content & { dayVersion: string }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const head = await headOf(store, request)
    const content = await READ[request.name](store, request, head)
    const dayVersion = dayVersionOf(head)
    if (dayVersionOf(await headOf(store, request)) === dayVersion) return { ...content, dayVersion }
    store.refresh()
  }
  throw new DataError('overloaded', 'The day changes while its file is made: try again')
}

async function headOf({ catalogue }: Store, { venue, market, date }: DayFileRequest): Promise<PartitionHead> {
  const head = await catalogue.head({ venue, market, date })
  if (head !== undefined) return head
  throw new DataError('market_not_stored', `Nothing is stored of the ${venue} market ${market} on ${date}`)
}

/** Writes chunks, and yields to the thread's other tasks after each. */
async function writePlain(file: DigestedFile, chunks: AnswerChunks): Promise<void> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    file.write(next.value)
    await setImmediate()
  }
}

/** The compression level is part of the file format: another level gives other bytes. */
const PACKING = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

/** Writes chunks as a single zstd frame, because many readers stop after the first. The bytes do not depend on where
 *  the chunks are cut: zstd gathers them into its own blocks. */
async function writePacked(file: DigestedFile, chunks: AnswerChunks): Promise<void> {
  await pipeline(
    function* () {
      for (let next = chunks.next(); !next.done; next = chunks.next()) {
        yield next.value
        countReleased(next.value.length, ANSWERING)
      }
    },
    createZstdCompress({ params: PACKING }),
    async (packed: AsyncIterable<Uint8Array>) => {
      for await (const bytes of packed) file.write(bytes)
    },
  )
}
