// Loads capture files into a store of their own and returns everything known of them: reports, rejects and stored
// contents.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { blockPart, type PartId, statePart } from '../../../storage/block-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import type { FileReport } from '../../../workers/load/load-capture.ts'
import { partsOfPartition } from '../../../workers/partition/needed-parts.ts'
import { type TestStore, withStore } from '../../support/store.ts'

export type File = { name: string; bytes: Uint8Array }

export const asText = (lines: string[]) => new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
export const file = (name: string, lines: string[]): File => ({ name, bytes: asText(lines) })
export const gzipped = (name: string, lines: string[]): File => ({ name: `${name}.gz`, bytes: gzipSync(asText(lines)) })

/** Returns everything that a store holds of captures. */
export async function contents({ store }: TestStore): Promise<unknown[]> {
  store.refresh()
  const { catalogue, blocks } = store
  const found: unknown[] = []
  for (const venue of VENUES) {
    for await (const key of catalogue.partitions(venue)) {
      const head = (await catalogue.head(key))!
      const parts = await blocks.fetch(partsOfPartition(key, head))
      const hashOf = (part: PartId) => Bun.hash(parts.bytes(key, part)).toString(16)
      const bytes = head.blocks.map(({ id }) => hashOf(blockPart(id)))
      const states = head.blocks.slice(1).map(({ stateId }) => hashOf(statePart(stateId)))
      found.push({ key, head, bytes, states })
    }
  }
  return found
}

const byLine = (one: { line: number }, other: { line: number }) => one.line - other.line

/** Returns the reports, with the content of their reject files. */
const withRejects = (reports: FileReport[], { folder }: TestStore) =>
  reports.map((report) => ({
    ...report,
    file: report.file.replace(folder, ''),
    error: report.error?.replaceAll(folder, '') ?? null,
    rejects: report.rejects.map(({ line, reason }) => ({ line, reason })),
    rejectFile: rejected(report.rejectFile),
  }))

function rejected(path: string | null): object[] | null {
  if (path === null) return null
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const rejectEntries = lines.map((line) => JSON.parse(line) as { line: number; file?: string })
  for (const entry of rejectEntries) delete entry.file
  return rejectEntries.sort(byLine)
}

export type Loaded = { reports: unknown[]; contents: unknown[] }

/** Loads files into a store of its own. */
export async function loaded(files: File[], load: (store: TestStore, paths: string[]) => Promise<FileReport[]>) {
  let result: Loaded | undefined
  await withStore(async (store) => {
    const paths = files.map(({ name }) => join(store.folder, name))
    for (const [index, path] of paths.entries()) await Bun.write(path, files[index]!.bytes)
    const reports = await load(store, paths)
    result = { reports: withRejects(reports, store), contents: await contents(store) }
  })
  return result!
}
