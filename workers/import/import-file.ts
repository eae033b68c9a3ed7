// Loads one file of an archive, and stores where it is from and how far it is loaded. An import that was stopped
// continues from there.

import type { ArchiveLoad } from '../../storage/finding/provenance.ts'
import { loadName } from '../../storage/finding/provenance.ts'
import type { Store } from '../../storage/open-store.ts'
import type { ArchiveFormat, Repair } from './archive.ts'
import { ArchiveFault } from './archive-fault.ts'
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
  /** Load it although it was loaded before. */
  again: boolean
}

/** `before`: when the same choice of the same file was loaded before, Unix ms; nothing was done then. Of a file without
 *  a row of the chosen markets, which the report says to be absent, nothing is kept. */
export type LoadedFile = { load: ArchiveLoad; report: ImportReport | null; before: number | null }

/** `folder` is the data folder. Throws ArchiveFault, also where the file is not what its publisher says, and DataError
 *  where the store does. */
export async function importFile(
  store: Store,
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  choice: FileChoice,
  onProgress: (progress: { fileBytes: number; rows: number }) => void,
): Promise<LoadedFile> {
  const begun = await beginLoad(format, file, choice)
  const known = await keptOf(store, begun)
  if (known !== undefined && known.finishedAt !== null && !choice.again) {
    return { load: known, report: null, before: known.finishedAt }
  }
  const goesOn = known !== undefined && known.finishedAt === null && isSameRepair(known, begun)
  const load = goesOn ? { ...known } : begun
  const { rows } = load
  let [kept, records] = [known, 0]
  const report = await importArchive(store, folder, format, file, {
    ...{ markets: choice.markets, repairs: choice.repairs, source: choice.source },
    ...{ after: load.checkpoint, loadingMs: Date.now(), onProgress },
    async onPart({ next, soFar }) {
      // What goes on is known to have rows of one.
      if (!goesOn && hasNoneOf(soFar, choice.markets)) return
      if (next === null && !goesOn) assertUnderstood(format, file, soFar)
      const added = soFar.recordsAdded - records
      const now = await keptOf(store, begun)
      if (!isAsKept(now, kept)) throw await counted(store, file, now, added)
      load.checkpoint = next
      load.finishedAt = next === null ? Date.now() : null
      load.rows = rows + soFar.rows
      // Another import may have counted some, and given up.
      load.records += added + (now?.records ?? 0) - (kept?.records ?? 0)
      await store.catalogue.putLoads([load])
      records = soFar.recordsAdded
      kept = { ...load }
    },
  })
  // Rows of the part before may be of those that are absent now.
  if (goesOn) report.absent = []
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
    ...{ clock: format.clock, order: format.order, hashKept: format.hashKept, isRebuilt: format.isRebuilt },
    repairs: [...choice.repairs].sort(),
    ...{ rows: 0, records: 0, startedAt: Date.now(), finishedAt: null, checkpoint: null },
  }
}

/** What is kept of the same choice of the same file. */
async function keptOf(store: Store, begun: ArchiveLoad): Promise<ArchiveLoad | undefined> {
  store.refresh()
  const name = loadName(begun)
  // Names are digests, which take longer.
  const alike = (await store.catalogue.loads()).filter(
    ({ source, bytes }) => source === begun.source && bytes === begun.bytes,
  )
  return alike.find((load) => loadName(load) === name)
}

/** Whether nobody else came further with it. */
const isAsKept = (now: ArchiveLoad | undefined, kept: ArchiveLoad | undefined): boolean =>
  now?.startedAt === kept?.startedAt &&
  now?.rows === kept?.rows &&
  now?.checkpoint === kept?.checkpoint &&
  now?.finishedAt === kept?.finishedAt

/** The rows are those of the other import, and so are the new records of this one now. */
async function counted(
  store: Store,
  file: ByteFile,
  now: ArchiveLoad | undefined,
  added: number,
): Promise<ArchiveFault> {
  if (now === undefined) return new ArchiveFault(file.name, 'was taken out while it was imported: import it again')
  await store.catalogue.putLoads([{ ...now, records: now.records + added }])
  return new ArchiveFault(
    file.name,
    'is imported by another process at the same time, which came further: this one ends',
  )
}

const isSameRepair = (one: ArchiveLoad, other: ArchiveLoad): boolean => one.repairs.join() === other.repairs.join()
