// A file that is read in ranges: on disk, or at a URL whose server supports byte ranges (RFC 9110, section 14).

import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { fetchWithRetry, HttpFailure, readBody } from '../../storage/retry/http-client.ts'
import type { Timers } from '../../storage/retry/timers.ts'
import { backoff } from '../../storage/retry/with-retry.ts'
import { ArchiveFault } from './archive-fault.ts'
import { fetchArchive } from './fetch-archive.ts'

/** `start` and `end` are as in `Array.slice`: the first byte, and the byte after the last. */
export interface ByteFile {
  /** File name as the user gave it. */
  readonly name: string
  readonly byteLength: number
  slice(start: number, end?: number): Promise<ArrayBuffer>
  /** Returns the hexadecimal hash of all bytes of the file; null if only ranges of the file are fetched. */
  sha256(): Promise<string | null>
  close(): void
}

export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/** URL parameters that hold a key, or that belong to a signature of Amazon, Google or CloudFront. */
const SIGNING = /^(x-(amz|goog)-.*|signature|policy|key-pair-id|expires|(.*[_-])?(key|token|secret|password|auth))$/i
/** Parameters of an Azure signature. They form a signature only if `sig` is among them. */
const SHARED_ACCESS = /^(sig|s[eprtv]|spr|sip|sk[a-z]+)$/

/** Returns the name to store: a URL without user, password and signature. Copies of the store must not hold secrets,
 *  and a file is still the same when its URL is signed again. */
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

/** Opens a file. Throws ArchiveFault if it cannot be read. */
export function openByteFile(name: string, patience = PATIENCE): Promise<ByteFile> {
  return isUrl(name) ? RemoteFile.open(name, patience) : Promise.resolve(new LocalFile(name))
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
      // Ranges are read, so a pipe does not work.
      if (!found.isFile()) throw new ArchiveFault(name, 'is not a regular file')
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

const ATTEMPTS = 5
const FIRST_WAIT_MS = 750
/** `patienceMs` is the longest time that a server may send nothing. A whole range may take longer, because it may be
 *  large and the connection slow. */
type Patience = { patienceMs: number; timers?: Timers }
const PATIENCE: Patience = { patienceMs: 30_000 }

class RemoteFile implements ByteFile {
  readonly name: string
  readonly byteLength: number
  /** ETag or Last-Modified of the file; null if the server sends neither. Never combines ranges of two versions. */
  readonly #version: string | null
  readonly #patience: Patience

  static async open(url: string, patience: Patience): Promise<RemoteFile> {
    return new RemoteFile(url, await fetchedRange(url, 0, 1, patience), patience)
  }

  private constructor(url: string, { byteLength, version }: Fetched, patience: Patience) {
    this.name = url
    this.byteLength = byteLength
    this.#version = version
    this.#patience = patience
  }

  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (end <= start) return new ArrayBuffer(0)
    const { bytes, byteLength, version } = await fetchedRange(this.name, start, end, this.#patience)
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

/** A fetched range. `byteLength` is the length of the whole file. */
type Fetched = { bytes: ArrayBuffer; byteLength: number; version: string | null }

/** Fetches a range. Retries after failures of the network and the server, also in the middle of an answer. */
async function fetchedRange(
  url: string,
  start: number,
  end: number,
  { patienceMs, timers }: Patience,
): Promise<Fetched> {
  // Servers that compress answers ignore ranges.
  const headers = { range: `bytes=${start}-${end - 1}`, 'accept-encoding': 'identity' }
  const lateReason = `its server sent nothing for ${patienceMs / 1_000} seconds`
  const read = async (response: Response, renew: () => void): Promise<Fetched> => {
    const { status, headers } = response
    const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')
    if (status !== 206 || range === null || Number(range[1]) !== start) {
      // Do not read the body: the whole file may have gigabytes.
      await response.body?.cancel()
      throw new ArchiveFault(
        url,
        'cannot be read: its server does not take byte ranges: download it, and name the file',
      )
    }
    const { buffer: bytes } = await readBody(response, end - start, renew)
    if (bytes.byteLength !== end - start) {
      throw new HttpFailure(null, `requested ${end - start} bytes, received ${bytes.byteLength}`)
    }
    const version = headers.get('etag') ?? headers.get('last-modified')
    return { bytes, byteLength: Number(range[2]), version }
  }
  try {
    // Do not decompress: a range of a compressed file cannot be decompressed, and the caller needs the stored bytes.
    const request = {
      url,
      headers,
      timeoutMs: patienceMs,
      lateReason,
      read,
      timers,
      decompress: false,
      fetch: fetchArchive,
    }
    return await fetchWithRetry(request, { attempts: ATTEMPTS, waitMs: backoff({ firstMs: FIRST_WAIT_MS }) })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    const { status, message } = error
    const location = error.headers.get('location')
    const onward = location === null ? '' : `, and ${JSON.stringify(location)} is not followed from there`
    const why = status === null ? message : `its server answered ${status}${onward}`
    throw new ArchiveFault(url, `cannot be read: ${why}`)
  }
}
