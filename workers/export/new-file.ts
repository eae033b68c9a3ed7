// A file of an export, as long as it is written.

export interface NewFile {
  /** What is given is written at once: it may be used again. */
  write(bytes: Uint8Array): void
  /** It is whole, and gets this path, with `/` between its parts, below the folder of the export: when all files of the
   *  day are whole. */
  finish(path: string, rows: number): void
  /** It is not wanted, whole or not. */
  abort(): void
}

/** What makes one. */
export type BeginFile = () => NewFile
