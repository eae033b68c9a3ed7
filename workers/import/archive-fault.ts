// Error for an archive file that cannot be loaded, or is not in the given format.

import { RefusedCapture } from '../venues/refused-capture.ts'

export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
  /** File name as the user gave it. */
  readonly file: string

  constructor(file: string, why: string) {
    super(`${file} ${why}`)
    this.file = file
  }
}

/** Rejects with ArchiveFault if the loader refuses the file. */
export async function asArchiveFault<T>(file: string, read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof RefusedCapture) throw new ArchiveFault(file, `cannot be loaded: ${error.message}`)
    throw error
  }
}
