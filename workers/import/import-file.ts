// Loads one file of an archive, and stores the file's origin and the progress of the import. If an import is stopped,
// the next import of the file continues from the stored progress.

import type { ArchiveLoad } from '../../storage/finding/provenance.ts'
import { loadName } from '../../storage/finding/provenance.ts'
import type { Store } from '../../storage/open-store.ts'
import type { ArchiveFormat, Repair } from './archive.ts'
import { type ByteFile, isUrl, namedInStore } from './byte-file.ts'
import { importArchive } from './import-archive.ts'
import { assertUnderstood, hasNoneOf, type ImportReport } from './import-report.ts'
import { publishedSha256 } from './published-digest.ts'

export type FileChoice = {
  source: string
  licence: string | null
  attribution: string | null
  markets: ReadonlySet<string> | null
  repairs: ReadonlySet<Repair>
  /** Whether to load the file even if it was loaded before. */
  again: boolean
}

/** Result of loading a file. If the file is loaded now, `before` is null. If the file was already loaded with the same
 *  choice of markets, nothing is done: `before` is the time of that earlier load, Unix ms, and `report` is null. If the
 *  file has no row of the chosen markets, nothing is stored, and the report lists these markets as absent. */
export type LoadedFile = { load: ArchiveLoad; report: ImportReport | null; before: number | null }

/** Loads a file. `folder` is the data folder. Throws ArchiveFault, also if the file differs from what its publisher
 *  states, and DataError if the store does. */
export async function importFile(
  store: Store,
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  choice: FileChoice,
  onProgress: (progress: { fileBytes: number; rows: number }) => void,
): Promise<LoadedFile> {
  const begun = await beginLoad(format, file, choice)
  const known = await storedLoad(store, begun)
  if (known !== undefined && known.finishedAt !== null && !choice.again) {
    return { load: known, report: null, before: known.finishedAt }
  }
  const isContinued = known !== undefined && known.finishedAt === null && isSameRepair(known, begun)
  const load = isContinued ? { ...known } : begun
  const { rows, records } = load
  const report = await importArchive(store, folder, format, file, {
    ...{ markets: choice.markets, repairs: choice.repairs, source: choice.source },
    ...{ after: load.checkpoint, loadingMs: Date.now(), onProgress },
    async onPart({ next, soFar }) {
      // For a continued import, an earlier run has already found rows of a chosen market.
      if (!isContinued && hasNoneOf(soFar, choice.markets)) return
      if (next === null && !isContinued) assertUnderstood(format, file, soFar)
      load.checkpoint = next
      load.finishedAt = next === null ? Date.now() : null
      load.rows = rows + soFar.rows
      load.records = records + soFar.recordsAdded
      await store.catalogue.putLoads([load])
    },
  })
  // The chosen markets may have had rows in the parts loaded before.
  if (isContinued) report.absent = []
  return { load, report, before: null }
}

async function beginLoad(format: ArchiveFormat, file: ByteFile, choice: FileChoice): Promise<ArchiveLoad> {
  const name = namedInStore(file.name)
  return {
    ...{ source: choice.source, format: format.name, file: name, url: isUrl(name) ? name : null },
    bytes: file.byteLength,
    sha256: await file.sha256(),
    publisherSha256: await publishedSha256(file),
    markets: choice.markets === null ? null : [...choice.markets].sort(),
    ...{ licence: choice.licence, attribution: choice.attribution },
    ...{ clock: format.clock, order: format.order, hashStored: format.hashStored, isRebuilt: format.isRebuilt },
    repairs: [...choice.repairs].sort(),
    ...{ rows: 0, records: 0, startedAt: Date.now(), finishedAt: null, checkpoint: null },
  }
}

/** Returns the stored load of the same file with the same choice of markets as `begun`; undefined if there is none. */
async function storedLoad(store: Store, begun: ArchiveLoad): Promise<ArchiveLoad | undefined> {
  store.refresh()
  const name = loadName(begun)
  // Compare source and size first, because `loadName` computes a digest, which takes longer.
  const alike = (await store.catalogue.loads()).filter(
    ({ source, bytes }) => source === begun.source && bytes === begun.bytes,
  )
  return alike.find((load) => loadName(load) === name)
}

const isSameRepair = (one: ArchiveLoad, other: ArchiveLoad): boolean => one.repairs.join() === other.repairs.join()
