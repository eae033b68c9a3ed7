// Row formats over HTTP, and which one a request wants: the parameter `format`, else the header Accept.

import Negotiator from 'negotiator'
import { TABLE_FORMATS, type TableFormat } from '../../../workers/table/encode-table.ts'

type FormatOfHttp = { type: string; isCompressed: boolean }

/** `isCompressed` says whether the answer is compressed for HTTP. Parquet is not, because its pages are already
 *  compressed. */
export const HTTP_FORMATS: Readonly<Record<TableFormat, FormatOfHttp>> = {
  json: { type: 'application/json', isCompressed: true },
  ndjson: { type: 'application/x-ndjson', isCompressed: true },
  csv: { type: 'text/csv; charset=utf-8', isCompressed: true },
  arrow: { type: 'application/vnd.apache.arrow.stream', isCompressed: true },
  parquet: { type: 'application/vnd.apache.parquet', isCompressed: false },
}

export const mediaTypeOf = (format: TableFormat): string => HTTP_FORMATS[format].type.split(';')[0]!

/** Returns the requested format. The parameter (`given`) wins over the header Accept. Returns JSON if the client names
 *  none of the offered formats. */
export function wantedFormat(
  { headers }: Request,
  given: string | undefined,
  offered: readonly TableFormat[],
): TableFormat {
  if (given !== undefined) return TABLE_FORMATS.find((format) => format === given) ?? 'json'
  const accept = headers.get('accept')
  if (accept === null || accept === '*/*') return 'json'
  const best = new Negotiator({ headers: { accept } }).mediaType(offered.map(mediaTypeOf))
  return offered.find((format) => mediaTypeOf(format) === best) ?? 'json'
}

/** Headers for formats without a JSON envelope, each with the fields that may hold its value. */
export const ENVELOPE_HEADERS = [
  ['X-Data-Count', ['data_count', 'data_points']],
  ['X-Has-More', ['has_more']],
  ['X-Next-Cursor', ['next_cursor']],
  ['X-Total-Count', ['total_count']],
] as const

const ERRORS_SHOWN = 20
type Missing = { ids: Readonly<Record<string, string | null>>; failure: { code: string } }

/** Returns the headers for the markets or books that have no answer, in a request for many. */
export function missingHeaders(missing: readonly Missing[]): Record<string, string> {
  const headers = { 'x-error-count': String(missing.length) }
  if (missing.length === 0) return headers
  const shown = missing.slice(0, ERRORS_SHOWN).map(({ ids, failure: { code } }) => ({ ...ids, code }))
  return { ...headers, 'x-errors': JSON.stringify(shown) }
}

/** Page information for formats without a JSON envelope, as headers. */
export function envelopeHeaders(envelope: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, fields] of ENVELOPE_HEADERS) {
    const value = fields.map((field) => envelope[field]).find((each) => each !== undefined && each !== null)
    if (value !== undefined) headers[name] = String(value)
  }
  return headers
}
