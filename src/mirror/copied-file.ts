// Checks whether a file of a mirror exists, and copies it. Resumes an interrupted copy.

import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DayFile } from '../../workers/files/day-file.ts'
import { MirrorError, type RemoteServer } from './remote-server.ts'

const PARTIAL = '.partial'

/** True if the file exists with this size and digest. Reads the whole file. */
export async function isThere(path: string, { bytes, sha256 }: DayFile): Promise<boolean> {
  return (await sizeOf(path)) === bytes && (await digestOf(path)) === sha256
}

/** Copies the file to `path`. Replaces an older file only when the copy is complete and its digest is right. Resolves
 *  to the number of bytes received. Rejects with MirrorError. */
export async function copyFile(server: RemoteServer, remote: string, path: string, file: DayFile): Promise<number> {
  const partial = `${path}${PARTIAL}`
  await mkdir(dirname(path), { recursive: true })
  let sent = 0
  // If the partial file is from an older version, the digest of the result is wrong. The second try then copies the
  // whole file.
  for (let tries = 1; ; tries++) {
    sent += await receive(server, remote, partial, file)
    if (await isThere(partial, file)) break
    await rm(partial, { force: true })
    if (tries === 2) throw new MirrorError(`${remote} does not match its digest: it may have changed meanwhile`)
  }
  await flush(partial)
  await rename(partial, path)
  return sent
}

async function receive(server: RemoteServer, remote: string, partial: string, { bytes, sha256 }: DayFile) {
  const present = (await sizeOf(partial)) ?? 0
  if (present === bytes) return 0
  const isResumed = present > 0 && present < bytes
  const resuming = isResumed ? { range: `bytes=${present}-`, 'if-range': `"${sha256}"` } : {}
  // Requests the file without content encoding, because compressing a compressed file again gains nothing.
  const response = await server.get(remote, { ...resuming, 'accept-encoding': 'identity' })
  const isContinued = isResumed && response.headers.get('content-range') === `bytes ${present}-${bytes - 1}/${bytes}`
  return write(response, partial, { isContinued, bytesMax: bytes })
}

/** Resolves to the number of bytes received. If the connection breaks, these bytes stay for the next run. */
async function write(response: Response, path: string, how: { isContinued: boolean; bytesMax: number }) {
  const file = createWriteStream(path, { flags: how.isContinued ? 'a' : 'w', mode: 0o644 })
  const failed = new Promise<never>((_, reject) => file.on('error', reject))
  failed.catch(() => undefined)
  let received = 0
  try {
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      received += bytes.length
      if (received > how.bytesMax) break
      await Promise.race([failed, new Promise((resolve) => file.write(bytes, resolve))])
    }
  } catch (error) {
    throw new MirrorError(`${path} is incomplete: ${(error as Error).message}`)
  } finally {
    await Promise.race([failed, new Promise((resolve) => file.end(resolve))]).catch(() => undefined)
  }
  return received
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}

async function digestOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const bytes of Bun.file(path).stream()) hash.update(bytes)
  return hash.digest('hex')
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
