// Keeps what could not be understood of a capture, each with its file, line and reason, so that nothing is lost.

import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export type Reject = { file: string; line: number; reason: string }

export class RejectFile {
  readonly path: string
  readonly #capture: string
  #file: number | undefined

  /** One file a capture, made anew when the capture is loaded again, and only if it has something to hold. */
  constructor(folder: string, capture: string) {
    const digest = createHash('sha256').update(resolve(capture)).digest('hex').slice(0, 8)
    this.path = join(folder, 'rejects', `${basename(capture)}-${digest}.ndjson`)
    this.#capture = capture
    rmSync(this.path, { force: true })
  }

  get isUsed(): boolean {
    return this.#file !== undefined
  }

  /** `bytes` as they stood in the capture: as text where they are UTF-8, else as base64. */
  add(line: number, reason: string, bytes: Uint8Array): void {
    if (this.#file === undefined) {
      mkdirSync(join(this.path, '..'), { recursive: true })
      this.#file = openSync(this.path, 'w')
    }
    writeSync(this.#file, `${JSON.stringify({ file: this.#capture, line, reason, ...printable(bytes) })}\n`)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

function printable(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}
