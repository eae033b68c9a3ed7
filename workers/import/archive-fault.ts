// A file of an archive that cannot be loaded, or is not of the format that its user says.

import { RefusedCapture } from '../venues/refused-capture.ts'

export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
  /** As its user named it. */
  readonly file: string

  constructor(file: string, why: string) {
    super(`${file} ${why}`)
    this.file = file
  }
}

/** Where the loader refuses what is read of the file, it throws ArchiveFault. */
export async function orArchiveFault<T>(file: string, read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof RefusedCapture) throw new ArchiveFault(file, `cannot be loaded: ${error.message}`)
    throw error
  }
}
