// The format of an export: the one that was named, or that the name of the file says.

import { extname } from 'node:path'
import { eitherOf } from '../../http/parameters/parameter.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'

export const FORMATS = { records: ['ndjson'], summary: ['csv', 'parquet', 'json'] } as const
export type What = keyof typeof FORMATS
export type Format = (typeof FORMATS)[What][number]

/** What names say besides the formats. */
const OTHER_NAMES: Readonly<Record<string, Format>> = { jsonl: 'ndjson' }

/** The first format where neither says one. Throws CommandError for a format, or a name, of something else. `path` is
 *  undefined for stdout. */
export function formatOf(what: What, format: Format | undefined, path: string | undefined): Format {
  const extension = path === undefined ? undefined : extensionOf(path)
  const said = format ?? (extension === undefined ? undefined : (OTHER_NAMES[extension] ?? extension))
  const chosen = said === undefined ? FORMATS[what][0] : FORMATS[what].find((each) => each === said)
  if (chosen === undefined) throw notOf(what, said!, format === undefined ? path : undefined)
  if (chosen === 'parquet' && /\.(?:gz|zst)$/.test(path ?? '')) {
    throw new CommandError('--output must end in .parquet: a Parquet file is compressed already', EXIT.usage)
  }
  if (chosen === 'parquet' && path === undefined && terminal().stdout.isTTY) {
    throw new CommandError('--output is required: a terminal cannot show Parquet', EXIT.usage)
  }
  return chosen
}

/** Undefined where the name says nothing: it has none, or one of digits alone, as tickers end. */
function extensionOf(path: string): string | undefined {
  const extension = extname(path.replace(/\.(?:gz|zst)$/, '')).slice(1)
  return /[a-z]/i.test(extension) ? extension.toLowerCase() : undefined
}

function notOf(what: What, said: string, path: string | undefined): CommandError {
  const [flag, given, dot] = path === undefined ? ['--format', said, ''] : ['--output', path, '.']
  const names = FORMATS[what].map((each) => `${dot}${each}`)
  const other = what === 'records' ? 'summary' : 'records'
  const isOther = FORMATS[other].some((each) => each === said)
  const hint = isOther ? `${dot}${said} is for --what ${other}` : 'for any other name give --format'
  return new CommandError(
    `${flag} must be ${eitherOf(names)} for ${what}, got ${JSON.stringify(given)}: ${hint}`,
    EXIT.usage,
  )
}
