// Writes chunks as one zstd frame to a file. The bytes do not depend on where the chunks are cut: zstd gathers them
// into its own blocks.

import { constants, createZstdCompress } from 'node:zlib'
import type { AnswerChunks } from '../chunked-answer.ts'
import { ANSWERING, countReleased } from '../collect-garbage.ts'
import type { DigestedFile } from './digested-file.ts'

/** The level is part of the file format: another one gives other bytes. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

/** Writes a single frame, because many readers stop after the first. */
export async function writePacked(file: DigestedFile, chunks: AnswerChunks): Promise<void> {
  const packer = createZstdCompress({ params: PARAMS })
  const packed: Uint8Array[] = []
  packer.on('data', (bytes: Uint8Array) => packed.push(bytes))
  const ended = new Promise<void>((resolve, reject) => packer.on('end', resolve).on('error', reject))
  const writePackedSoFar = () => {
    for (const bytes of packed.splice(0)) file.write(bytes)
  }
  try {
    for (let next = chunks.next(); !next.done; next = chunks.next()) {
      const chunk = next.value
      await new Promise<void>((resolve, reject) => packer.write(chunk, (error) => (error ? reject(error) : resolve())))
      writePackedSoFar()
      countReleased(chunk.length, ANSWERING)
    }
    packer.end()
    await ended
    writePackedSoFar()
  } finally {
    packer.destroy()
  }
}
