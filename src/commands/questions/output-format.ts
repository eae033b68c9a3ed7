// The format of a command's rows: the one that was named, or that the name of the file says, else a table on a terminal
// and CSV elsewhere.

import { extname } from 'node:path'
import { TABLE_FORMATS } from '../../../workers/table/encode-table.ts'
import { eitherOf } from '../../http/parameters/parameter.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import type { RowFormat } from './row-output.ts'

export const COMMAND_FORMATS: readonly RowFormat[] = ['table', ...TABLE_FORMATS]

const OTHER_NAMES: Readonly<Record<string, RowFormat>> = { jsonl: 'ndjson', arrows: 'arrow' }
const BINARY: readonly RowFormat[] = ['arrow', 'parquet']

/** `path` is undefined for stdout. Throws CommandError. */
export function rowFormatOf(format: RowFormat | undefined, path: string | undefined): RowFormat {
  const chosen = format ?? formatNamed(path) ?? (path === undefined && process.stdout.isTTY ? 'table' : 'csv')
  if (chosen === 'parquet' && /\.(?:gz|zst)$/.test(path ?? '')) {
    throw new CommandError('--output must end in .parquet: a Parquet file is compressed already', EXIT.usage)
  }
  if (BINARY.includes(chosen) && path === undefined && process.stdout.isTTY) {
    throw new CommandError(`--output is required: a terminal cannot show ${chosen}`, EXIT.usage)
  }
  return chosen
}

function formatNamed(path: string | undefined): RowFormat | undefined {
  if (path === undefined) return undefined
  const extension = extname(path.replace(/\.(?:gz|zst)$/, ''))
    .slice(1)
    .toLowerCase()
  const named = OTHER_NAMES[extension] ?? TABLE_FORMATS.find((each) => each === extension)
  if (named !== undefined) return named
  const names = eitherOf(TABLE_FORMATS.map((each) => `.${each}`))
  const message = `--output must be ${names}, got ${JSON.stringify(path)}: for any other name give --format`
  throw new CommandError(message, EXIT.usage)
}
