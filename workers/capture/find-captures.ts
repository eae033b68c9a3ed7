// Finds the capture files in a list of files and folders.

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A segment's name ends with `.part` until its recorder closes it. */
const CAPTURE_NAME = /\.(?:(?:ndjson|jsonl|json|txt|log)(?:\.gz|\.zst)?|ndjson\.zst\.part)$/
/** Names that the program itself writes beside a store. They look like captures. */
const MANIFEST = 'manifest.json'
const OWN = ['rejects', MANIFEST]
/** Beginning of the manifest of a mirrored date. */
const MIRRORED = /^\{\s*"venue":\s*"(polymarket|kalshi)",\s*"date":\s*"[\d-]{10}",\s*"files":\s*\[/

/** Returns the given files, and the files below the given folders that have a capture's name, sorted by path.
 *  Skips a name that is not UTF-8, because it cannot be opened; `onUnreadable` receives its printable form. Throws the
 *  file system's error for a path that does not exist. */
export function findCaptures(paths: string[], onUnreadable: (path: string) => void = () => {}): string[] {
  return paths.flatMap((path) =>
    statSync(path).isDirectory() ? [...capturesBelow(path, onUnreadable)].sort() : [path],
  )
}

/** The character that replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd'

function* capturesBelow(folder: string, onUnreadable: (path: string) => void): Generator<string> {
  const isOurs = existsSync(join(folder, 'store', 'data.mdb'))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (isOurs && OWN.includes(entry.name)) continue
    const isCapture = entry.isFile() && CAPTURE_NAME.test(entry.name)
    if (!isCapture && !entry.isDirectory()) continue
    if (entry.name.includes(REPLACEMENT) && !existsSync(path)) onUnreadable(path)
    else if (isCapture && entry.name === MANIFEST && MIRRORED.test(beginningOf(path))) continue
    else if (isCapture) yield path
    else yield* capturesBelow(path, onUnreadable)
  }
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(128)
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}
