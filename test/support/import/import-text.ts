// Imports a text as a file of an archive.

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ArchiveFormat } from '../../../workers/import/archive.ts'
import { openByteFile } from '../../../workers/import/byte-file.ts'
import { checkArchive } from '../../../workers/import/check-archive.ts'
import { importArchive } from '../../../workers/import/import-archive.ts'
import type { ImportReport } from '../../../workers/import/import-report.ts'
import type { TestStore } from '../store.ts'

type Options = { markets?: string[]; after?: string; loadingMs?: number }
export type TextImport = ImportReport & { places: (string | null)[] }

/** Imports `text` under a file name. A name that ends in .gz compresses the file. */
export async function importText(
  store: TestStore,
  format: ArchiveFormat,
  name: string,
  text: string,
  { markets, after, loadingMs = Date.parse('2026-11-01') }: Options = {},
): Promise<TextImport> {
  const path = join(store.folder, name)
  await Bun.write(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return importFile(store, format, path, { ...(markets && { markets }), ...(after && { after }), loadingMs })
}

export async function importFile(
  store: TestStore,
  format: ArchiveFormat,
  path: string,
  { markets, after, loadingMs = Date.parse('2026-11-01') }: Options = {},
): Promise<TextImport> {
  const file = await openByteFile(path)
  const places: (string | null)[] = []
  try {
    const report = await importArchive(store.store, store.folder, format, file, {
      ...{ markets: markets === undefined ? null : new Set(markets), repairs: new Set(), source: format.source },
      ...{ after: after ?? null, loadingMs },
      onPart: async ({ next }) => void places.push(next),
      onProgress: () => {},
    })
    return { ...report, places }
  } finally {
    file.close()
    store.store.refresh()
  }
}

export async function checkFile(
  format: ArchiveFormat,
  path: string,
  markets: ReadonlySet<string> | null = null,
  loadingMs = Date.parse('2026-11-01'),
) {
  const file = await openByteFile(path)
  try {
    return await checkArchive(format, file, {
      markets,
      repairs: new Set(),
      source: format.source,
      loadingMs,
      onProgress: () => {},
    })
  } finally {
    file.close()
  }
}
