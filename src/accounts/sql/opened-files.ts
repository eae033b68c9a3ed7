// Whether the files of a database are still those that were opened. A process that has a file open goes on with it when
// it is removed or another takes its name: what it then writes is gone when it ends, and nobody else ever saw it. Only
// names are looked at: opening and closing such a file once more would lose SQLite the locks of the whole process.

import { statSync } from 'node:fs'

/** To be called when they have just been opened; those that are not there are not watched. What is returned throws an
 *  Error with the name of a file that was moved, removed, replaced or emptied since. */
export function openedFiles(paths: readonly string[]): () => void {
  const opened = paths.flatMap((path) => {
    const was = statOf(path)
    return was === undefined ? [] : [{ path, was }]
  })
  return () => {
    const now = opened.map(({ path }) => statOf(path))
    for (const [i, { path, was }] of opened.entries()) {
      const is = now[i]
      if (is?.dev !== was.dev || is.ino !== was.ino) {
        throw new Error(`${path} is not the file that was opened: put it back`)
      }
    }
    // The log that follows may be empty.
    if (now[0]?.size === 0) throw new Error(`${opened[0]!.path} was emptied`)
  }
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false })
