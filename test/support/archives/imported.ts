// An archive loaded into a store of a test.

import type { ArchiveFormat, Repair } from '../../../workers/import/archive.ts'
import type { ByteFile } from '../../../workers/import/byte-file.ts'
import { importArchive } from '../../../workers/import/import-archive.ts'
import type { ImportReport } from '../../../workers/import/import-report.ts'
import type { TestStore } from '../store.ts'

export const LOADED_AT = Date.parse('2026-11-01')

export type Imported = { report: ImportReport; places: (string | null)[] }

export type How = { markets?: string[]; after?: string | null; repairs?: Repair[]; stopAfter?: number }

/** Loads an archive. Stops after `stopAfter` parts, as if the process were killed there. */
export async function imported(
  { store, folder }: TestStore,
  format: ArchiveFormat,
  file: ByteFile,
  { markets, after = null, repairs = [], stopAfter }: How = {},
): Promise<Imported> {
  const places: (string | null)[] = []
  const report = await importArchive(store, folder, format, file, {
    markets: markets === undefined ? null : new Set(markets),
    ...{ repairs: new Set(repairs), source: format.source, after, loadingMs: LOADED_AT },
    onPart: async (part) => {
      places.push(part.next)
      if (places.length === stopAfter) throw new Stopped(places)
    },
    onProgress: () => {},
  })
  store.refresh()
  return { report, places }
}

export class Stopped extends Error {
  readonly places: (string | null)[]

  constructor(places: (string | null)[]) {
    super('stopped')
    this.places = places
  }
}
