// The capture files that a list of files and folders stands for.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const CAPTURE_NAME = /\.(?:ndjson|jsonl|json|txt|log)(?:\.gz|\.zst)?$/

/** Files as they are named; of a folder, everything below it that is named like a capture, in the order of the paths.
 *  Throws the file system's error for a path that does not exist. */
export function findCaptures(paths: string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path, { recursive: true, withFileTypes: true })
    return names
      .filter((entry) => entry.isFile() && CAPTURE_NAME.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  })
}
