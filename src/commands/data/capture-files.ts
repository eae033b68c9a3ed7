// Finds the captures for `ingest`. A load without any capture is an error.

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { findCaptures } from '../../../workers/capture/find-captures.ts'
import { counted } from '../terminal/numbers.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'

const ACCEPTED = 'a capture is NDJSON (.ndjson, .jsonl, .json, .txt, .log), plain, .gz or .zst'
/** Names of table files. */
const TABLE_NAME = /\.(parquet|csv|tsv|arrow|feather|xlsx)(?:\.gz|\.zst)?$/i
/** First bytes of table files, other compressions and other texts, as Latin-1. */
const MAGICS = {
  PAR1: 'parquet',
  ARROW1: 'arrow',
  BZh: 'bzip2',
  'PK\x03\x04': 'zip',
  '\xfd7zXZ': 'xz',
  '\x04"M\x18': 'lz4',
  '\xff\xfe': 'UTF-16',
}
const KINDS_NAMED_MAX = 5

/** Returns the named files, and those files in the named folders that are named like captures. Throws CommandError if
 *  there are none, or if a named file cannot be a capture. */
export function captureFiles(paths: string[]): string[] {
  if (paths.length === 0) throw new CommandError('name at least one capture, or a folder of captures', EXIT.usage)
  try {
    for (const path of paths) refuseOther(path)
    const files = findCaptures(paths, (path) => {
      terminal().stderr.write(`skipped ${JSON.stringify(path)}: its name is not UTF-8; rename it to load it\n`)
    })
    if (files.length === 0) throw new CommandError(nothingFound(paths), EXIT.usage)
    return files
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code, message, path } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandError(`there is no file or folder ${JSON.stringify(path)}`, EXIT.usage)
    throw new CommandError(`cannot read a capture: ${message}`, EXIT.usage)
  }
}

function refuseOther(path: string): void {
  if (!statSync(path).isFile()) return
  const kind = TABLE_NAME.exec(path)?.[1]?.toLowerCase() ?? magicOf(path)
  if (kind !== undefined) throw new CommandError(`${JSON.stringify(path)} is a ${kind} file; ${ACCEPTED}`, EXIT.usage)
}

function magicOf(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(8)
    readSync(file, start, 0, start.length, 0)
    const text = start.toString('latin1')
    return Object.entries(MAGICS).find(([magic]) => text.startsWith(magic))?.[1]
  } finally {
    closeSync(file)
  }
}

function nothingFound(folders: string[]): string {
  const kinds = new Map<string, number>()
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const kind = extname(entry.name) || 'no ending'
      if (entry.isFile()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
  }
  const where = folders.map((folder) => JSON.stringify(folder)).join(', ')
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return `there is no file in ${where}; ${ACCEPTED}`
  const most = [...kinds].sort(([, one], [, other]) => other - one).slice(0, KINDS_NAMED_MAX)
  const named = most.map(([kind, count]) => `${kind} (${count})`).join(', ')
  return `no capture in ${where}, only ${counted(total, 'file')} with other names: ${named}; ${ACCEPTED}`
}
