// Reads the lines of an archive's text file a piece at a time, decompressed if it is gzip or zstd. Reads only as fast
// as lines are taken, so a file of any size needs the memory of one piece.

import {
  type Compression,
  compressionOf,
  inflateFault,
  MAGIC_BYTES,
  newInflater,
  skipPadding,
} from '../../bytes/compression.ts'
import { LineSplitter, withoutByteOrderMark } from '../../capture/capture-lines.ts'
import { zstdDamage } from '../../capture/zstd-frames.ts'
import { ArchiveFault } from '../archive-fault.ts'
import { type ByteFile, isUrl } from '../byte-file.ts'

const PIECE_BYTES = 1 << 20

/** Lines that are in memory together, without line feeds. Blank lines are skipped, but counted in the numbers. */
export class LineBatch {
  readonly bytes: Uint8Array[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** Line numbers in the file, from 1. */
  readonly numbers: number[] = []
  /** Bytes read of the file. */
  fileBytes = 0

  get length(): number {
    return this.numbers.length
  }

  /** Returns a line, valid until the next batch. */
  line(index: number): Uint8Array {
    return this.bytes[index]!.subarray(this.starts[index]!, this.ends[index]!)
  }

  add(bytes: Uint8Array, start: number, end: number, number: number): void {
    this.bytes.push(bytes)
    this.starts.push(start)
    this.ends.push(end)
    this.numbers.push(number)
  }
}

/** Yields the lines of a file. Throws ArchiveFault if the file is damaged, or a line is too long. */
export async function* textLines(file: ByteFile): AsyncGenerator<LineBatch> {
  let batch = new LineBatch()
  const splitter = new LineSplitter({
    line: (bytes, start, end, number) => batch.add(bytes, start, end, number),
    longLine: (_, bytesMax, number) => {
      throw new ArchiveFault(file.name, `has more than ${bytesMax} bytes in line ${number}`)
    },
    end: () => {},
  })
  let isFirst = true
  for await (const { bytes, fileBytes } of textPieces(file)) {
    splitter.push(isFirst ? withoutByteOrderMark(bytes) : bytes)
    isFirst = false
    if (batch.length === 0) continue
    batch.fileBytes = fileBytes
    yield batch
    batch = new LineBatch()
  }
  splitter.finish()
  batch.fileBytes = file.byteLength
  if (batch.length > 0) yield batch
}

type Piece = { bytes: Uint8Array; fileBytes: number }

/** Yields decompressed pieces; each is valid until the next one. Throws ArchiveFault. */
export async function* textPieces(file: ByteFile): AsyncGenerator<Piece> {
  const compression = compressionOf(new Uint8Array(await file.slice(0, Math.min(file.byteLength, MAGIC_BYTES))))
  if (compression === undefined) return yield* storedPieces(file)
  if (compression === 'gzip') return yield* inflated(file, compression)
  if (isUrl(file.name)) {
    throw new ArchiveFault(
      file.name,
      'is zstd, whose end is not known while it is fetched: download it, and name the file',
    )
  }
  yield* inflated(file, compression)
  // The decoder does not fail if the file ends in the middle of a frame.
  const damage = zstdDamage(file.name)
  if (damage !== undefined) throw new ArchiveFault(file.name, `is damaged or cut off: ${damage.message}`)
}

async function* storedPieces(file: ByteFile, from = 0): AsyncGenerator<Piece> {
  for (let start = from; start < file.byteLength; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES, file.byteLength)
    yield { bytes: new Uint8Array(await file.slice(start, end)), fileBytes: end }
  }
}

async function* inflated(file: ByteFile, compression: Compression): AsyncGenerator<Piece> {
  const padding = async (start: number) =>
    new Uint8Array(await file.slice(start, Math.min(start + PIECE_BYTES, file.byteLength)))
  for (let start = 0; start < file.byteLength; ) {
    const end = yield* inflatedFrom(file, compression, start)
    if (compression === 'zstd') return
    start = await skipPadding(end, padding)
  }
}

/** Yields decompressed pieces, and returns the offset where the compressed data end. */
async function* inflatedFrom(file: ByteFile, compression: Compression, start: number): AsyncGenerator<Piece, number> {
  const inflater = newInflater(compression, PIECE_BYTES)
  let fileBytes = start
  const feed = async () => {
    for await (const piece of storedPieces(file, start)) {
      fileBytes = piece.fileBytes
      // `write` calls back when the inflater has room for more.
      await new Promise((resolve) => inflater.write(piece.bytes, resolve))
    }
    inflater.end()
  }
  feed().catch((error) => inflater.destroy(error as Error))
  try {
    for await (const { buffer, byteOffset, byteLength } of inflater as AsyncIterable<Uint8Array>) {
      yield { bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength), fileBytes }
    }
    return start + inflater.bytesWritten
  } catch (error) {
    if (error instanceof ArchiveFault) throw error
    throw new ArchiveFault(file.name, `is damaged or cut off: ${inflateFault(error)}`)
  } finally {
    inflater.destroy()
  }
}
