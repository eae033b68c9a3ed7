// Reads the size and SHA-256 that the publisher of a file states. They are in `manifest.json`, in the same folder as
// the file. pendulumflow has one manifest for each hour.

import { readFileSync } from 'node:fs'
import { fetchOnce, readText } from '../../storage/retry/http-client.ts'
import { ArchiveFault } from './archive-fault.ts'
import { type ByteFile, isUrl } from './byte-file.ts'
import { fetchArchive } from './fetch-archive.ts'

const TIMEOUT_MS = 10_000
const MANIFEST_BYTES_MAX = 1 << 20

/** Returns the SHA-256 as hexadecimal digits; null if there is no manifest, or no hash in it. Throws ArchiveFault if
 *  the size in the manifest differs from the file's size. */
export async function publishedSha256(file: Pick<ByteFile, 'name' | 'byteLength'>): Promise<string | null> {
  const name = file.name.split(/[\\/]/).at(-1)!
  const manifest = await manifestBeside(file.name)
  if (manifest === undefined || manifest['file'] !== name) return null
  const { bytes, sha256 } = manifest
  if (typeof bytes === 'number' && bytes !== file.byteLength) {
    throw new ArchiveFault(file.name, `has ${file.byteLength} bytes, its manifest says ${bytes}`)
  }
  return typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null
}

async function manifestBeside(name: string): Promise<Record<string, unknown> | undefined> {
  try {
    const text = isUrl(name)
      ? await fetchOnce({ url: new URL('manifest.json', name).href, timeoutMs: TIMEOUT_MS, read, fetch: fetchArchive })
      : readFileSync(beside(name), 'utf8')
    const manifest: unknown = JSON.parse(text)
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const read = (response: Response): Promise<string> => readText(response, MANIFEST_BYTES_MAX)
const beside = (path: string): string => path.replace(/[^\\/]*$/, 'manifest.json')
