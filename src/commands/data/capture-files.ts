// Finds the captures for `ingest`. A load without any capture is an error.

import { statSync } from 'node:fs'
import { findCaptures } from '../../../workers/capture/find-captures.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'

const ACCEPTED = 'a capture is NDJSON (.ndjson, .jsonl, .json, .txt, .log), plain, .gz or .zst'
/** Names of table files. */
const TABLE_NAME = /\.(parquet|csv|tsv|arrow|feather|xlsx)(?:\.gz|\.zst)?$/i
/** Returns the given files, and the files in the given folders whose names look like captures. Throws CommandError if
 *  there are none, or if a given file cannot be a capture. */
export function captureFiles(paths: string[]): string[] {
  if (paths.length === 0) throw new CommandError('name at least one capture, or a folder of captures', EXIT.usage)
  try {
    for (const path of paths) refuseOther(path)
    const files = findCaptures(paths, (path) => {
      terminal().stderr.write(`skipped ${JSON.stringify(path)}: its name is not UTF-8; rename it to load it\n`)
    })
    if (files.length === 0) {
      const where = paths.map((path) => JSON.stringify(path)).join(', ')
      throw new CommandError(`no capture in ${where}; ${ACCEPTED}`, EXIT.usage)
    }
    return files
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code, message, path } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandError(`there is no file or folder ${JSON.stringify(path)}`, EXIT.usage)
    throw new CommandError(`cannot read a capture: ${message}`, EXIT.usage)
  }
}

function refuseOther(path: string): void {
  const kind = statSync(path).isFile() ? TABLE_NAME.exec(path)?.[1]?.toLowerCase() : undefined
  if (kind !== undefined) throw new CommandError(`${JSON.stringify(path)} is a ${kind} file; ${ACCEPTED}`, EXIT.usage)
}
