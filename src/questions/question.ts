// What a market endpoint declares. The shared way from a request to its answer stands once, in question-routes.ts.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import type { TableEncoding, TableFormat } from '../../workers/table/encode-table.ts'
import type { DayFiles } from '../day-files/day-files.ts'
import type { StoreSecret, TagOf } from '../http/answers/entity-tag.ts'
import type { Parameter } from '../http/parameters/parameter.ts'
import type { ParameterNames, QueryText, VenueParameters } from '../http/parameters/venue-parameters.ts'
import type { Operation } from '../openapi/operation.ts'

/** One request: its venue, and its parameters, each of them valid by itself. */
export type Asked<Own extends string = never> = {
  parameters: VenueParameters
  query: QueryText<Own>
  /** Values that stand in the path, where it has places for them. */
  inPath?: Readonly<Record<string, string>>
  nowMs: number
}

/** `Own` are the names of parameters that no other endpoint has. */
type Declared<Own extends string> = {
  /** The path behind `/{venue}`; `:name` is a place for a value. */
  path: string
  /** The values in the path, by name. */
  inPath?: (venue: VenueParameters) => Readonly<Record<string, Parameter>>
  /** Whether Polymarket's is also found without the venue's path segment. */
  hasAlias: boolean
  /** It is about no single venue, and found without the segment of one: its `VenueParameters` mean nothing. A key that is
   *  for one venue alone must name it as `venue`. */
  isOfAllVenues?: true
  /** Whether an answer counts for the plan. */
  isBillable: boolean
  parameters(venue: VenueParameters): ParameterNames<Own>
  /** What the documentation says of it. */
  about: (venue: VenueParameters) => Omit<Operation, 'tag' | 'access'>
}

/** Answered from the index alone, in one piece. */
export type IndexQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'index'
  /** Whether the answer stays short, and is never compressed. */
  isShort: boolean
  read(catalogue: Catalogue, asked: Asked<Own>): Promise<IndexAnswer>
}

/** `make` is called only where somebody reads the answer. */
export type IndexAnswer = {
  /** All that the answer follows from. */
  identity: readonly unknown[]
  make: () => object | Promise<object>
}

/** Answered by the workers from stored records, streamed. */
export type RecordsQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'records'
  /** How the rows may be written: the parameters `format` and `columns` follow from it. JSON alone unless given. */
  formats?: readonly TableFormat[]
  /** Throws RequestFailure where parameters do not fit together. */
  plan(asked: Asked<Own>, secret: Uint8Array, catalogue: Catalogue): RecordsPlan | Promise<RecordsPlan>
}

/** What a request comes to, decided without reading any records. */
export type RecordsPlan = {
  /** One market, which must be stored; or many, where the answer says of each that is not stored that it is not. */
  market: string | readonly string[]
  /** How many calls it is, 1 unless given. */
  calls?: number
  /** The instants that are read, both inclusive. */
  fromMs: number
  toMs: number
  /** All that the answer follows from besides what is stored. */
  identity: readonly unknown[]
  /** Whether the answer is worth keeping for those who ask the same. */
  isKept: boolean
  /** The books of many that nothing is stored of, in the order asked. */
  missing?: readonly MissingBook[]
  /** The columns of flat formats, by name. */
  columns?: readonly string[]
  /** `encoding` is for the rows. What the envelope says is added to its metadata here. */
  answer(workers: Pick<Workers, 'ask'>, encoding: TableEncoding): Promise<RecordsAnswer>
}

/** A book that a question about many cannot answer: its ids, and why. */
export type MissingBook = { ids: Readonly<Record<string, string | null>>; failure: { code: string; detail: string } }

/** `envelope` holds every field before `data`; without it `data` is all of the answer. */
export type RecordsAnswer = {
  envelope: Record<string, unknown> | null
  /** Rows in all, where it is known before the first of them and the envelope does not say it. */
  dataCount?: number
  data: AnswerBytes
  /** How many rows there were, once all of them are taken, where the envelope does not say it. */
  rowCount?: () => number
}

/** Answered by itself, with whatever it sends: a file, a redirection. */
export type FileQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'file'
  respond(means: FileMeans, asked: Asked<Own>, request: Request): Promise<Response>
}

/** What such an answer is made with. */
export type FileMeans = { catalogue: Catalogue; secret: StoreSecret; tagOf: TagOf; dayFiles: DayFiles }

export type Question = IndexQuestion<string> | RecordsQuestion<string> | FileQuestion<string>
