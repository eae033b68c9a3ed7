// Whether the files of a database are still those that were opened. A process that has a file open goes on with it when
// it is removed or another takes its name: what it then writes is gone when it ends, and nobody else ever saw it. Only
// names are looked at: opening and closing such a file once more would lose SQLite the locks of the whole process.

import { statSync } from 'node:fs'

/** To be called when they have just been opened; those that are not there are not watched. What is returned throws an
 *  Error with the name of a file that was moved, removed, replaced or emptied since. */
export function openedFiles(paths: readonly string[]): () => void {
  const opened = paths.flatMap((path) => {
    const identity = identityOf(path)
    return identity === undefined ? [] : [{ path, identity }]
  })
  return () => {
    for (const { path, identity } of opened) {
      if (identityOf(path) !== identity) throw new Error(`${path} is not the file that was opened: put it back`)
    }
    const [main] = opened
    if (main !== undefined && statSync(main.path, { throwIfNoEntry: false })?.size === 0) {
      throw new Error(`${main.path} was emptied`)
    }
  }
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino}`
}
