// A file of an export while it is written.

export interface NewFile {
  /** Writes bytes at once; the caller may reuse them. */
  write(bytes: Uint8Array): void
  /** Completes the file. It gets this path, with `/` as separator, below the export's folder when all files of the day
   *  are complete. */
  finish(path: string, rows: number): void
  /** Discards the file, complete or not. */
  abort(): void
}

/** Starts a new file. */
export type BeginFile = () => NewFile
