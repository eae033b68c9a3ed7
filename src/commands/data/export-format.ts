// Chooses the format of an export: the given one, or the one in the file's name.

import { extname } from 'node:path'
import { eitherOf } from '../../http/parameters/parameter.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'

export const FORMATS = { records: ['ndjson'], summary: ['csv', 'parquet', 'json'] } as const
export type What = keyof typeof FORMATS
export type Format = (typeof FORMATS)[What][number]

/** File extensions besides the formats' own names. */
const OTHER_NAMES: Readonly<Record<string, Format>> = { jsonl: 'ndjson' }

/** Returns the first format if neither the flag nor the name gives one. Throws CommandError for a format or a name that
 *  does not fit. `path` is undefined for stdout. */
export function formatOf(what: What, format: Format | undefined, path: string | undefined): Format {
  const extension = path === undefined ? undefined : extensionOf(path)
  const named = format ?? (extension === undefined ? undefined : (OTHER_NAMES[extension] ?? extension))
  const chosen = named === undefined ? FORMATS[what][0] : FORMATS[what].find((each) => each === named)
  if (chosen === undefined) throw notOf(what, named!, format === undefined ? path : undefined)
  if (chosen === 'parquet' && /\.(?:gz|zst)$/.test(path ?? '')) {
    throw new CommandError('--output must end in .parquet: a Parquet file is compressed already', EXIT.usage)
  }
  if (chosen === 'parquet' && path === undefined && terminal().stdout.isTTY) {
    throw new CommandError('--output is required: a terminal cannot show Parquet', EXIT.usage)
  }
  return chosen
}

/** Returns the extension that gives the format. Returns undefined if the name gives none: it has no extension, or one
 *  of digits only, as tickers may have. */
function extensionOf(path: string): string | undefined {
  const extension = extname(path.replace(/\.(?:gz|zst)$/, '')).slice(1)
  return /[a-z]/i.test(extension) ? extension.toLowerCase() : undefined
}

function notOf(what: What, named: string, path: string | undefined): CommandError {
  const [flag, given, dot] = path === undefined ? ['--format', named, ''] : ['--output', path, '.']
  const names = FORMATS[what].map((each) => `${dot}${each}`)
  const other = what === 'records' ? 'summary' : 'records'
  const isOther = FORMATS[other].some((each) => each === named)
  const hint = isOther ? `${dot}${named} is for --what ${other}` : 'for any other name give --format'
  return new CommandError(
    `${flag} must be ${eitherOf(names)} for ${what}, got ${JSON.stringify(given)}: ${hint}`,
    EXIT.usage,
  )
}
