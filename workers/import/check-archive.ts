// Reports what an import of a file would do, without a store: reads the file as an import does, and drops the records.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArchiveFormat } from './archive.ts'
import type { ByteFile } from './byte-file.ts'
import { type ReadingOptions, readArchive } from './import-archive.ts'
import type { ImportReport } from './import-report.ts'

/** Throws ArchiveFault. */
export async function checkArchive(
  format: ArchiveFormat,
  file: ByteFile,
  options: Omit<ReadingOptions, 'after' | 'marketOf'>,
): Promise<ImportReport> {
  // Holds temporary files and rejected rows during the check.
  const folder = mkdtempSync(join(tmpdir(), 'backbook-check-'))
  const reading = { ...options, after: null, marketOf: marketsOfCheck(options.markets) }
  try {
    const report = await readArchive(
      folder,
      format,
      file,
      reading,
      async () => 0,
      async () => {},
    )
    return { ...report, records: 0, rejectFiles: [] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the function that finds the market of a token. A check has no store in which to look up the market. So the
 *  function returns a stand-in if all markets are chosen, the chosen market if it is the only one, else null. */
function marketsOfCheck(chosen: ReadonlySet<string> | null) {
  const [only] = chosen ?? []
  const standIn = (token: string) => `0x${BigInt(token).toString(16).padStart(64, '0').slice(-64)}`
  return async (token: string) => (chosen === null ? standIn(token) : chosen.size === 1 ? only! : null)
}
