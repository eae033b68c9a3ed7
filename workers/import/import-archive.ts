// Loads one file of an archive into a store, part by part. Each part is stored before the next is read, so memory stays
// bounded, and a stopped import continues where it stopped.

import { closeSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import { commitPart } from '../load/commit-part.ts'
import { MARKETS_AT_ONCE } from '../load/part-sink.ts'
import { readCapture } from '../load/read-capture.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import type { ArchiveFormat, ArchiveOptions } from './archive.ts'
import { asArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'
import { addRead, addSums, type ImportReport, markPresent, newReport } from './import-report.ts'
import { TokenMarkets } from './token-markets.ts'

export type ReadingOptions = Pick<ArchiveOptions, 'markets' | 'repairs' | 'after' | 'marketOf'> & {
  /** Source of the imported records. */
  source: string
  loadingMs: number
  onProgress: (progress: { fileBytes: number; rows: number }) => void
}

type OnPart = (part: { next: string | null; soFar: ImportReport }) => Promise<void>
export type ImportOptions = Omit<ReadingOptions, 'marketOf'> & {
  /** Called when a part is stored. */
  onPart: OnPart
}

/** Imports a file. `folder` is the data folder. Throws ArchiveFault, and DataError if the store does. */
export function importArchive(
  store: Store,
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  { onPart, ...options }: ImportOptions,
): Promise<ImportReport> {
  const tokens = new TokenMarkets(store.catalogue, options.markets)
  const reading = { ...options, marketOf: (token: string) => tokens.of(token) }
  const add = async (partitions: CollectedPartition[]) => (await commitPart(store, partitions)).recordsAdded
  return readArchive(folder, format, file, reading, add, onPart)
}

/** Reads a file part by part. `add` stores records and returns how many are new. */
export async function readArchive(
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  options: ReadingOptions,
  add: (partitions: CollectedPartition[]) => Promise<number>,
  onPart: OnPart,
): Promise<ImportReport> {
  const { loadingMs, source, onProgress } = options
  const report = newReport(options.markets)
  const reading = { ...options, onMarket: (market: string) => markPresent(report, market) }
  let place = options.after
  for await (const part of format.open(file, reading)) {
    const end = await readCapture(
      {
        ...{ folder, path: `${file.name}@${place ?? 'start'}`, loadingMs, source, markets: options.markets },
        ...{ threads: 1, marketsAtOnce: MARKETS_AT_ONCE, isByMarket: format.isByMarket, onProgress: () => {} },
        writeLines: async (lines) => {
          const read = part.read(lines, (fileBytes) => onProgress({ fileBytes, rows: report.rows }))
          addSums(report, await asArchiveFault(file.name, read))
        },
      },
      async ({ partitions, files }) => {
        try {
          for (const { key, recordCount } of partitions) {
            markPresent(report, key.market)
            report.records += recordCount
          }
          report.recordsAdded += await add(partitions)
        } finally {
          for (const open of files) closeSync(open)
        }
      },
    )
    addRead(report, format, file, end)
    if (end.rejectFile !== null) report.rejectFiles.push(end.rejectFile)
    place = part.next
    await onPart({ next: part.next, soFar: report })
  }
  return report
}
