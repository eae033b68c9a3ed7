// The bytes of a capture file, decompressed. Recorders append, so a gzip or zstd file may have many members: node:zlib
// reads them all (Bun.gunzipSync stops after the first). A file that is cut off or ends in garbage gives everything
// that is whole, and then the failure.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { zstdDamage } from './zstd-frames.ts'

const CHUNK_BYTES = 1 << 18
/** What a piece inflates to should fit: the inflater then works through it without waiting for this thread. */
const INFLATED_BYTES = 1 << 20
const AHEAD_BYTES_MAX = 8 << 20
/** Compressed bytes handed to zlib at once; what it fails on is read again in smaller and smaller pieces. */
const FEED_BYTES = 1 << 16
const NARROW_BYTES = 1 << 8

type OnChunk = (chunk: Uint8Array, fileBytes: number) => void
/** What to wait for before the next piece of the file is read; undefined: nothing. */
type Room = () => Promise<void> | undefined
type ChunkReader = { onChunk: OnChunk; room: Room }
type Inflater = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>

/** Calls `onChunk` with each piece, and how many bytes of the file it took. Rejects after the last whole byte, or when
 *  `room` does. */
export async function decompressCapture(path: string, onChunk: OnChunk, room: Room): Promise<void> {
  const reader: ChunkReader = { onChunk, room }
  if (path.endsWith('.gz')) return inflateAll(path, () => createGunzip({ chunkSize: INFLATED_BYTES }), reader)
  if (path.endsWith('.zst')) {
    await inflateAll(path, () => createZstdDecompress({ chunkSize: INFLATED_BYTES }), reader)
    // The decoder ends quietly where the file does, in the middle of a frame too.
    const damage = zstdDamage(path)
    if (damage !== undefined) throw new Error(damage)
    return
  }
  let fileBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    fileBytes += chunk.length
    onChunk(chunk, fileBytes)
    await room()
  }
}

async function inflateAll(path: string, makeInflater: () => Inflater, reader: ChunkReader): Promise<void> {
  let written = 0
  const count: OnChunk = (chunk, fileBytes) => {
    written += chunk.length
    reader.onChunk(chunk, fileBytes)
  }
  const place = startOfFile()
  try {
    await inflate(path, makeInflater(), { ...reader, onChunk: count }, place)
  } catch (error) {
    // A file that ends too early fails behind its last piece, when everything of it has been handed on.
    if (place.isFailing) await salvage(path, makeInflater, place.offset, written, reader)
    throw error
  }
}

/** The inflater drops what it had of the piece it failed on: feeding that piece byte by byte gives all but the last. A
 *  byte takes as long as a piece does, so where to begin with that is looked for in pieces between. */
async function salvage(
  path: string,
  makeInflater: () => Inflater,
  failedFrom: number,
  alreadyWritten: number,
  { onChunk, room }: ChunkReader,
): Promise<void> {
  let skip = alreadyWritten
  const onNew: OnChunk = (chunk, fileBytes) => {
    if (chunk.length > skip) onChunk(chunk.subarray(skip), fileBytes)
    skip = Math.max(0, skip - chunk.length)
  }
  const narrow = { from: failedFrom, bytes: NARROW_BYTES }
  const place = startOfFile()
  await inflate(path, makeInflater(), NOTHING_READ, place, narrow).catch(() => {})
  const bytewise = { from: place.offset, bytes: 1 }
  await inflate(path, makeInflater(), { onChunk: onNew, room }, startOfFile(), bytewise).catch(() => {})
}

const NOTHING_READ: ChunkReader = { onChunk: () => {}, room: () => undefined }

/** How far a file is read: where the piece in hand begins, and whether the inflater failed on that piece. */
type Place = { offset: number; isFailing: boolean }
const startOfFile = (): Place => ({ offset: 0, isFailing: false })

/** Feeds a file piece by piece, smaller ones of `small.bytes` from `small.from` on. The inflater runs in a thread of its
 *  own: while it works on a piece, this one hands on what came of the piece before. */
async function inflate(
  path: string,
  inflater: Inflater,
  { onChunk, room }: ChunkReader,
  place: Place,
  small = { from: Number.POSITIVE_INFINITY, bytes: FEED_BYTES },
): Promise<void> {
  const file = openSync(path, 'r')
  const ended = new Promise<void>((resolve, reject) => {
    inflater.on('end', resolve)
    inflater.on('error', reject)
  })
  ended.catch(() => {})
  const ahead = new ChunkQueue((chunk) => onChunk(chunk, place.offset))
  inflater.on('data', (chunk: Uint8Array) => ahead.push(chunk))
  try {
    for (;;) {
      const want = place.offset >= small.from ? small.bytes : Math.min(FEED_BYTES, small.from - place.offset)
      const piece = new Uint8Array(want)
      const count = readSync(file, piece, 0, want, place.offset)
      if (count === 0) break
      const written = new Promise((resolve) => inflater.write(piece.subarray(0, count), resolve))
      ahead.handOn()
      await room()
      place.isFailing = true
      await Promise.race([written, ended])
      place.isFailing = false
      place.offset += count
    }
    inflater.end()
    ahead.handOn()
    await ended
  } finally {
    ahead.handOn()
    closeSync(file)
    inflater.destroy()
  }
}

/** Chunks between their inflation and their use. A piece that inflates beyond measure is used as it comes. */
class ChunkQueue {
  readonly #use: (chunk: Uint8Array) => void
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(use: (chunk: Uint8Array) => void) {
    this.#use = use
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > AHEAD_BYTES_MAX) this.handOn()
  }

  handOn(): void {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    for (const chunk of chunks) this.#use(chunk)
  }
}
