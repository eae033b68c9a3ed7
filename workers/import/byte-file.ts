// A file of which ranges are read: on the disk, or behind a URL whose server takes byte ranges (RFC 9110, section 14).

import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveFault } from './archive-fault.ts'

/** Both ends as of `slice`: from the first byte on, to before the last one. */
export interface ByteFile {
  /** As its user named it. */
  readonly name: string
  readonly byteLength: number
  slice(start: number, end?: number): Promise<ArrayBuffer>
  /** Of all of its bytes, hexadecimal; null where only ranges of it are fetched. */
  sha256(): Promise<string | null>
  close(): void
}

export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/** Parameters that hold a key, or sign a URL for some time: Amazon's, Google's and CloudFront's. */
const SIGNING = /^(x-(amz|goog)-.*|signature|policy|key-pair-id|expires|(.*[_-])?(key|token|secret|password|auth))$/i
/** Azure's, where `sig` is one of them. */
const SHARED_ACCESS = /^(sig|s[eprtv]|spr|sip|sk[a-z]+)$/

/** As its user named it, without the user, password and signature that a URL may have: what is kept of a file is copied
 *  to other stores, and a file signed anew is the same one. */
export function namedInStore(name: string): string {
  if (!isUrl(name) || !URL.canParse(name)) return name
  const url = new URL(name)
  const isShared = url.searchParams.has('sig')
  const signing = [...url.searchParams.keys()].filter(
    (key) => SIGNING.test(key) || (isShared && SHARED_ACCESS.test(key)),
  )
  if (url.username === '' && url.password === '' && signing.length === 0) return name
  url.username = ''
  url.password = ''
  for (const key of signing) url.searchParams.delete(key)
  return url.href
}

/** `patienceMs`: how long a server may send nothing. Throws ArchiveFault where it cannot be read. */
export function openByteFile(name: string, patienceMs = PATIENCE_MS): Promise<ByteFile> {
  return isUrl(name) ? RemoteFile.open(name, patienceMs) : Promise.resolve(new LocalFile(name))
}

const HASHED_AT_ONCE_BYTES = 4 << 20

class LocalFile implements ByteFile {
  readonly name: string
  readonly byteLength: number
  readonly #file: number

  constructor(name: string) {
    this.name = name
    try {
      const found = statSync(name)
      if (found.isDirectory()) throw new ArchiveFault(name, 'is a folder: name the files in it')
      // Ranges are read, so what comes in one piece through a pipe will not do.
      if (!found.isFile()) throw new ArchiveFault(name, 'is no file on the disk')
      this.byteLength = found.size
      this.#file = openSync(name, 'r')
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      throw new ArchiveFault(name, `cannot be read: ${(error as Error).message}`)
    }
  }

  slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    return Promise.resolve(this.#read(start, end).buffer as ArrayBuffer)
  }

  sha256(): Promise<string> {
    const hash = createHash('sha256')
    for (let start = 0; start < this.byteLength; start += HASHED_AT_ONCE_BYTES) {
      hash.update(this.#read(start, Math.min(start + HASHED_AT_ONCE_BYTES, this.byteLength)))
    }
    return Promise.resolve(hash.digest('hex'))
  }

  close(): void {
    closeSync(this.#file)
  }

  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start)
    for (let length = 0; length < bytes.length; ) {
      const count = readSync(this.#file, bytes, length, bytes.length - length, start + length)
      if (count === 0) throw new ArchiveFault(this.name, 'became shorter while it was read')
      length += count
    }
    return bytes
  }
}

const TRIES = 5
const FIRST_WAIT_MS = 500
/** Of a range, which may take longer as long as some of it comes: it may be large, and the line slow. */
const PATIENCE_MS = 30_000

class RemoteFile implements ByteFile {
  readonly name: string
  readonly byteLength: number
  /** What the server says of this very version: pieces of two versions are never put together. */
  readonly #version: string | null
  readonly #patienceMs: number

  static async open(url: string, patienceMs: number): Promise<RemoteFile> {
    return new RemoteFile(url, await fetchedRange(url, 0, 1, patienceMs), patienceMs)
  }

  private constructor(url: string, { byteLength, version }: Fetched, patienceMs: number) {
    this.name = url
    this.byteLength = byteLength
    this.#version = version
    this.#patienceMs = patienceMs
  }

  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (end <= start) return new ArrayBuffer(0)
    const { bytes, byteLength, version } = await fetchedRange(this.name, start, end, this.#patienceMs)
    if (version !== this.#version || byteLength !== this.byteLength) {
      throw new ArchiveFault(this.name, 'changed while it was read')
    }
    return bytes
  }

  sha256(): Promise<null> {
    return Promise.resolve(null)
  }

  close(): void {}
}

/** Both ends as of `slice`. `byteLength`: of the whole file. */
type Fetched = { bytes: ArrayBuffer; byteLength: number; version: string | null }

/** Tries again after failures of the network and of the server, also those in the middle of an answer. */
async function fetchedRange(url: string, start: number, end: number, patienceMs: number): Promise<Fetched> {
  for (let tries = 1; ; tries++) {
    const patience = new Patience(patienceMs)
    try {
      return await fetchOnce(url, start, end, patience)
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      if (tries === TRIES) throw new ArchiveFault(url, `cannot be read: ${(error as Error).message}`)
    } finally {
      patience.end()
    }
    await sleep(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random()))
  }
}

/** Throws ArchiveFault where another try is of no use. */
async function fetchOnce(url: string, start: number, end: number, patience: Patience): Promise<Fetched> {
  // Servers that pack an answer on its way leave ranges out of account.
  const headers = { range: `bytes=${start}-${end - 1}`, 'accept-encoding': 'identity' }
  const answer = await fetch(url, { headers, signal: patience.signal })
  const { status } = answer
  if (status >= 500 || status === 429) throw new Error(`its server answered ${status}`)
  if (!answer.ok) throw new ArchiveFault(url, `cannot be read: its server answered ${status}`)
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')
  if (status !== 206 || range === null || Number(range[1]) !== start) {
    // The whole file may have gigabytes.
    await answer.body?.cancel()
    throw new ArchiveFault(url, 'cannot be read: its server does not take byte ranges: download it, and name the file')
  }
  const bytes = new Uint8Array(end - start)
  let length = 0
  for await (const piece of answer.body ?? []) {
    patience.renew()
    if (length + piece.length <= bytes.length) bytes.set(piece, length)
    length += piece.length
  }
  if (length !== bytes.length) throw new Error(`${bytes.length} bytes were asked for, ${length} came`)
  const version = answer.headers.get('etag') ?? answer.headers.get('last-modified')
  return { bytes: bytes.buffer, byteLength: Number(range[2]), version }
}

/** Ends an answer of which nothing came for that long. */
class Patience {
  readonly #controller = new AbortController()
  readonly #ms: number
  #timer: Timer | undefined

  constructor(ms: number) {
    this.#ms = ms
    this.renew()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  renew(): void {
    clearTimeout(this.#timer)
    const why = `its server sent nothing for ${this.#ms / 1_000} seconds`
    this.#timer = setTimeout(() => this.#controller.abort(new Error(why)), this.#ms)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
