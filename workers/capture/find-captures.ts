// The capture files that a list of files and folders stands for.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const CAPTURE_NAME = /\.(?:ndjson|jsonl|json|txt|log)(?:\.gz|\.zst)?$/
/** What the program itself writes beside a store, and would take for captures. */
const OWN = ['rejects', 'manifest.json']

/** Files as they are named; of a folder, everything below it that is named like a capture, in the order of the paths.
 *  Throws the file system's error for a path that does not exist. */
export function findCaptures(paths: string[]): string[] {
  return paths.flatMap((path) => (statSync(path).isDirectory() ? [...capturesBelow(path)].sort() : [path]))
}

function* capturesBelow(folder: string): Generator<string> {
  const isOurs = existsSync(join(folder, 'store', 'data.mdb'))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (isOurs && OWN.includes(entry.name)) continue
    if (entry.isDirectory()) yield* capturesBelow(path)
    else if (entry.isFile() && CAPTURE_NAME.test(entry.name)) yield path
  }
}
