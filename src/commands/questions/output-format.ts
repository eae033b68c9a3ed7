// Chooses the format of a command's rows: the given format, else the format in the file's name. The default is a
// table on a terminal, and CSV elsewhere; NDJSON if the endpoint has no CSV.

import { extname } from 'node:path'
import type { TableFormat } from '../../../workers/table/encode-table.ts'
import { eitherOf } from '../../http/parameters/parameter.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import type { RowFormat } from './row-output.ts'

/** Returns the command's formats, from those of its endpoint: rows with columns can also be a table. */
export const commandFormats = (formats: readonly TableFormat[]): readonly RowFormat[] =>
  formats.includes('csv') ? ['table', ...formats] : formats

const OTHER_NAMES: Readonly<Record<string, RowFormat>> = { jsonl: 'ndjson', arrows: 'arrow' }
const BINARY: readonly RowFormat[] = ['arrow', 'parquet']

/** Returns the format of the rows. `path` is undefined for stdout. Throws CommandError. */
export function rowFormatOf(
  format: RowFormat | undefined,
  path: string | undefined,
  formats: readonly TableFormat[],
): RowFormat {
  const chosen = format ?? formatNamed(path, formats) ?? usualFormat(formats)
  if (chosen === 'parquet' && /\.(?:gz|zst)$/.test(path ?? '')) {
    throw new CommandError('--output must end in .parquet: a Parquet file is compressed already', EXIT.usage)
  }
  if (BINARY.includes(chosen) && path === undefined && terminal().stdout.isTTY) {
    throw new CommandError(`--output is required: a terminal cannot show ${chosen}`, EXIT.usage)
  }
  return chosen
}

function usualFormat(formats: readonly TableFormat[]): RowFormat {
  if (!formats.includes('csv')) return 'ndjson'
  return terminal().stdout.isTTY ? 'table' : 'csv'
}

function formatNamed(path: string | undefined, formats: readonly TableFormat[]): RowFormat | undefined {
  if (path === undefined) return undefined
  const extension = extname(path.replace(/\.(?:gz|zst)$/, ''))
    .slice(1)
    .toLowerCase()
  const wanted = OTHER_NAMES[extension] ?? extension
  const named = formats.find((each) => each === wanted)
  if (named !== undefined) return named
  const names = eitherOf(formats.map((each) => `.${each}`))
  const message = `--output must be ${names}, got ${JSON.stringify(path)}: for any other name give --format`
  throw new CommandError(message, EXIT.usage)
}
