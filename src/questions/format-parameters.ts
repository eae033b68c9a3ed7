// The parameters `format` and `columns` of a question and their documentation, derived from the question's formats.

import { type TObject, Type } from '@sinclair/typebox'
import type { TableEncoding, TableFormat } from '../../workers/table/encode-table.ts'
import { ENVELOPE_HEADERS, mediaTypeOf, wantedFormat } from '../http/answers/negotiated-format.ts'
import { eitherOf, oneOf, type Parameter, patternText } from '../http/parameters/parameter.ts'
import type { ParameterNames, VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid, quoted } from '../http/server/request-failure.ts'
import type { Answer } from '../openapi/operation.ts'
import { declaredBy } from './query-source.ts'
import type { Question } from './question.ts'

/** Formats of tables. */
export const ROW_FORMATS = ['json', 'ndjson', 'csv', 'arrow', 'parquet'] as const
/** Formats of raw records, which have no columns. */
export const RECORD_FORMATS = ['json', 'ndjson'] as const
const FLAT: readonly TableFormat[] = ['csv', 'arrow', 'parquet']

const COLUMNS = patternText(
  /^[A-Za-z0-9_.]{1,64}(?:,[A-Za-z0-9_.]{1,64}){0,199}$/,
  'names of columns with commas between',
  {
    description: `Only these columns, for ${eitherOf(FLAT)}; all by default`,
  },
)
const formatParameter = (formats: readonly TableFormat[]): Parameter =>
  oneOf(formats, { unlessGiven: 'json', description: 'Format of the answer; by default from the header Accept' })

export const formatsOf = (question: Question): readonly TableFormat[] =>
  question.kind === 'records' ? (question.formats ?? ['json']) : ['json']

/** Returns the parameters of a question. Adds `source` if it is about markets, `format` and `columns` if needed. */
export function parametersOf(question: Question, venue: VenueParameters): ParameterNames<string> {
  const declared = declaredBy(question, venue)
  const formats = formatsOf(question)
  if (formats.length === 1) return declared
  const isFlat = formats.some((format) => FLAT.includes(format))
  return {
    ...declared,
    optional: [...declared.optional, 'format', ...(isFlat ? ['columns'] : [])],
    own: { ...declared.own, format: formatParameter(formats), columns: COLUMNS },
  }
}

/** Returns the encoding of the answer's rows. `names` are the answer's columns in flat formats. Throws
 *  RequestFailure. */
export function encodingOf(
  question: Question,
  request: Request,
  query: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): TableEncoding {
  const format = wantedFormat(request, query['format'], formatsOf(question))
  const given = query['columns']
  if (given === undefined) return { format }
  const columns = given.split(',')
  const refuse = (message: string) => parametersInvalid([{ field: 'columns', message }])
  if (!FLAT.includes(format)) throw refuse(`is for the formats ${eitherOf(FLAT)}, got it with ${format}`)
  const unknown = columns.find((name) => !names.includes(name))
  if (unknown !== undefined) throw refuse(`must be of ${names.join(', ')}, got ${quoted(unknown)}`)
  if (new Set(columns).size < columns.length) throw refuse(`must name each column once, got ${quoted(given)}`)
  return { format, columns }
}

/** Adds the other formats of a row answer, and their headers, to its documentation. */
export function documentedFormats(answer: Answer, formats: readonly TableFormat[]): Answer {
  if (formats.length === 1) return answer
  const fields = (answer.schema as TObject).properties
  const rowHeaders = ENVELOPE_HEADERS.flatMap(([name, names]) => (names.some((each) => each in fields) ? [name] : []))
  const others = formats
    .filter((format) => format !== 'json')
    .map((format) => ({ type: mediaTypeOf(format), schema: inWords(format) }))
  return { ...answer, rowHeaders: [...rowHeaders, ...(answer.rowHeaders ?? [])], others }
}

function inWords(format: TableFormat) {
  if (format === 'ndjson') return Type.String({ description: 'The objects of `data`, one a line' })
  if (format === 'csv') return Type.String({ description: 'A line of names, then a line for each row' })
  const what = format === 'arrow' ? 'A stream of Arrow' : 'A file of Parquet'
  return Type.String({ format: 'binary', description: `${what}, with the envelope of JSON as metadata` })
}
