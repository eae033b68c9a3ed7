// Loads one file of an archive into a store, part by part. Each part is stored before the next is read, so memory stays
// bounded, and a stopped import continues where it stopped.

import { closeSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import { commitPart } from '../load/commit-part.ts'
import { MARKETS_AT_ONCE } from '../load/part-sink.ts'
import { readCapture } from '../load/read-capture.ts'
import type { ArchiveFormat, ArchivePart, Repair } from './archive.ts'
import { orArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'
import { addRead, addSums, type ImportReport, markPresent, newReport } from './import-report.ts'
import { TokenMarkets } from './token-markets.ts'

export type ImportOptions = {
  /** The markets to import; null for all. */
  markets: ReadonlySet<string> | null
  repairs: ReadonlySet<Repair>
  /** Source of the imported records. */
  source: string
  /** Place that the last import of this file reached, an `ArchivePart.next`. */
  after: string | null
  loadingMs: number
  /** Called when a part is stored. */
  onPart: (part: { next: string | null; soFar: ImportReport }) => Promise<void>
  onProgress: (progress: { fileBytes: number; rows: number }) => void
}

/** Imports a file. `folder` is the data folder. Throws ArchiveFault, and DataError if the store does. */
export async function importArchive(
  store: Store,
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = newReport(options.markets)
  const tokens = new TokenMarkets(store.catalogue, options.markets)
  const reading = {
    ...options,
    onMarket: (market: string) => markPresent(report, market),
    marketOf: (token: string) => tokens.of(token),
  }
  let place = options.after
  for await (const part of format.open(file, reading)) {
    const path = `${file.name}@${place ?? 'start'}`
    await storePart(store, folder, { format, file, path, part }, options, report)
    place = part.next
    await options.onPart({ next: part.next, soFar: report })
  }
  return report
}

async function storePart(
  store: Store,
  folder: string,
  { format, file, path, part }: { format: ArchiveFormat; file: ByteFile; path: string; part: ArchivePart },
  { loadingMs, source, onProgress }: ImportOptions,
  report: ImportReport,
): Promise<void> {
  const end = await readCapture(
    {
      ...{ folder, path, loadingMs, source, threads: 1, marketsAtOnce: MARKETS_AT_ONCE },
      isByMarket: format.isByMarket,
      onProgress: () => {},
      writeLines: async (lines) => {
        const read = part.read(lines, (fileBytes) => onProgress({ fileBytes, rows: report.rows }))
        addSums(report, await orArchiveFault(file.name, read))
      },
    },
    async ({ partitions, files }) => {
      try {
        for (const { recordCount } of partitions) report.records += recordCount
        report.recordsAdded += (await commitPart(store, partitions)).recordsAdded
      } finally {
        for (const open of files) closeSync(open)
      }
    },
  )
  addRead(report, format, file, end)
  if (end.rejectFile !== null) report.rejectFiles.push(end.rejectFile)
}
