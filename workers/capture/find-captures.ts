// The capture files that a list of files and folders stands for.

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A segment is `.part` until its recorder closes it. */
const CAPTURE_NAME = /\.(?:(?:ndjson|jsonl|json|txt|log)(?:\.gz|\.zst)?|ndjson\.zst\.part)$/
/** What the program itself writes beside a store, and would take for captures. */
const MANIFEST = 'manifest.json'
const OWN = ['rejects', MANIFEST]
/** How the manifest of a mirror's date begins. */
const MIRRORED = /^\{\s*"venue":\s*"(polymarket|kalshi)",\s*"date":\s*"[\d-]{10}",\s*"files":\s*\[/

/** Files as they are named; of a folder, everything below it that is named like a capture, in the order of the paths.
 *  A name that is not UTF-8 cannot be opened: it is left out, and `onUnreadable` gets what of it can be printed.
 *  Throws the file system's error for a path that does not exist. */
export function findCaptures(paths: string[], onUnreadable: (path: string) => void = () => {}): string[] {
  return paths.flatMap((path) =>
    statSync(path).isDirectory() ? [...capturesBelow(path, onUnreadable)].sort() : [path],
  )
}

/** What stands for bytes that are not UTF-8. */
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
