// Computes the checksum of a file of any size, optionally while copying it.

import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

const PIECE_BYTES = 4 << 20

export type Digest = { bytes: number; sha256: string }

export async function digestFile(path: string, onBytes: (bytes: number) => void): Promise<Digest> {
  return eachPiece(path, onBytes, () => undefined)
}

/** Copies a file and resolves to its digest when the copy is on disk. Rejects if the target exists. */
export async function copyFileWithDigest(from: string, to: string, onBytes: (bytes: number) => void): Promise<Digest> {
  const target = openSync(to, 'wx', 0o600)
  try {
    const digest = await eachPiece(from, onBytes, (piece) => {
      for (let done = 0; done < piece.length; ) done += writeSync(target, piece, done)
    })
    fsyncSync(target)
    return digest
  } finally {
    closeSync(target)
  }
}

async function eachPiece(
  path: string,
  onBytes: (bytes: number) => void,
  take: (piece: Uint8Array) => void,
): Promise<Digest> {
  const hasher = new Bun.CryptoHasher('sha256')
  const file = openSync(path, 'r')
  const buffer = new Uint8Array(PIECE_BYTES)
  let bytes = 0
  try {
    for (;;) {
      const length = readSync(file, buffer)
      if (length === 0) return { bytes, sha256: hasher.digest('hex') }
      const piece = buffer.subarray(0, length)
      hasher.update(piece)
      take(piece)
      bytes += length
      onBytes(length)
      // Lets the event loop handle signals and draw the progress bar between two pieces.
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    closeSync(file)
  }
}
