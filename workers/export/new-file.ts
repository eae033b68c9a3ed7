// A file of an export while it is written.

export interface NewFile {
  /** Writes the bytes before it returns, so the caller may then reuse them. */
  write(bytes: Uint8Array): void
  /** Completes the file. When all files of the day are complete, the file gets this path below the export's folder,
   *  with `/` as separator. */
  finish(path: string, rows: number): void
  /** Discards the file, complete or not. */
  abort(): void
}

/** Starts a new file. */
export type BeginFile = () => NewFile
