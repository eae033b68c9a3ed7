// Stores the parts of a capture that could not be parsed, with file, line and reason, so that nothing is lost.

import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'

/** File systems allow names of 255 bytes. The digest and the extension need some of them. */
const NAME_BYTES_MAX = 200

export type Reject = { file: string; line: number; reason: string }

export class RejectFile {
  readonly path: string
  readonly #capture: string
  #file: number | undefined
  #isClosed = false

  /** Prepares one file per capture. Removes the file of an earlier load. Creates a new file only for the first
   *  reject. */
  constructor(folder: string, capture: string) {
    const digest = createHash('sha256').update(resolve(capture)).digest('hex').slice(0, 8)
    this.path = join(folder, 'rejects', `${plainName(capture)}-${digest}.ndjson`)
    this.#capture = capture
    rmSync(this.path, { force: true })
  }

  get isUsed(): boolean {
    return this.#file !== undefined
  }

  /** Writes the bytes as they were in the capture: as text if they are UTF-8, otherwise as base64. Throws
   *  DataError('disk_full'). */
  add(line: number, reason: string, bytes: Uint8Array): void {
    const entry = Buffer.from(`${JSON.stringify({ file: this.#capture, line, reason, ...printable(bytes) })}\n`)
    try {
      this.#file ??= this.#open()
      for (let done = 0; done < entry.length; ) done += writeSync(this.#file, entry, done)
    } catch (error) {
      throw writeFailure(error, dirname(dirname(this.path)))
    }
  }

  close(): void {
    if (this.#file !== undefined && !this.#isClosed) closeSync(this.#file)
    this.#isClosed = true
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    rmSync(this.path, { force: true })
    // Never follow a link that someone has put there.
    return openSync(this.path, 'wx', 0o600)
  }
}

/** Returns the capture's name, short enough to leave room for the digest, and without characters that would break a
 *  printed line. */
const plainName = (capture: string) =>
  Buffer.from(basename(capture).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '_'))
    .subarray(0, NAME_BYTES_MAX)
    .toString()

function printable(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}
