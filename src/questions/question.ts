// The declaration of a market endpoint. The code from request to answer, which all endpoints share, is in
// question-routes.ts.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import type { TableEncoding, TableFormat } from '../../workers/table/encode-table.ts'
import type { DayFiles } from '../day-files/day-files.ts'
import type { StoreSecret, TagOf } from '../http/answers/entity-tag.ts'
import type { Parameter } from '../http/parameters/parameter.ts'
import type { ParameterNames, QueryText, VenueParameters } from '../http/parameters/venue-parameters.ts'
import type { Operation } from '../openapi/operation.ts'

/** One request: its venue, and its parameters, each valid by itself. */
export type ParsedQuery<Own extends string = never> = {
  parameters: VenueParameters
  query: QueryText<Own>
  /** Values from the path, if it has placeholders. */
  inPath?: Readonly<Record<string, string>>
  nowMs: number
}

/** `Own` are the names of parameters that no other endpoint has. */
type Declared<Own extends string> = {
  /** The path after `/{venue}`; `:name` is a placeholder. */
  path: string
  /** The parameters of the path, by name. */
  inPath?: (venue: VenueParameters) => Readonly<Record<string, Parameter>>
  /** True if Polymarket's endpoint is also available without the venue's path segment. */
  hasAlias?: true
  /** True if the endpoint covers all venues and has no path segment for a venue; its `VenueParameters` have no meaning.
   *  A request with a key limited to one venue must name that venue in the parameter `venue`. */
  isOfAllVenues?: true
  /** True if an answer counts against the plan. */
  isBillable?: true
  parameters(venue: VenueParameters): ParameterNames<Own>
  /** Returns the documentation of the question. */
  about: (venue: VenueParameters) => Omit<Operation, 'tag' | 'access'>
}

/** A question answered from the catalogue's index alone, in one piece. */
export type IndexQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'index'
  /** True if the answer is always short, and never compressed. */
  isShort?: true
  read(catalogue: Catalogue, parsed: ParsedQuery<Own>): Promise<IndexAnswer>
}

/** `make` is called only if the client needs the body. */
export type IndexAnswer = {
  /** Everything that the answer depends on. */
  identity: readonly unknown[]
  make: () => object | Promise<object>
}

/** A question answered by the workers from stored records, streamed. */
export type RecordsQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'records'
  /** The formats of the rows, which add the parameters `format` and `columns`. Only JSON if omitted. */
  formats?: readonly TableFormat[]
  /** Returns the plan of the request. Throws RequestFailure if parameters contradict each other. */
  plan(parsed: ParsedQuery<Own>, secret: Uint8Array, catalogue: Catalogue): RecordsPlan | Promise<RecordsPlan>
}

/** The plan of a request, made without reading records. */
export type RecordsPlan = {
  /** One market, which must be stored; or many markets. If some of many markets are not stored, the answer reports each
   *  of them. */
  market: string | readonly string[]
  /** Number of calls that the answer counts as; 1 if omitted. */
  calls?: number
  /** The time range that is read, both ends inclusive. */
  fromMs: number
  toMs: number
  /** Start of the time range that the answer depends on, if the answer also depends on records before `fromMs`. */
  taggedFromMs?: number
  /** Everything that the answer depends on besides the stored data. */
  identity: readonly unknown[]
  /** True if the answer is worth caching for later requests with the same query. */
  isCacheable: boolean
  /** For a request for many books: the books that are not stored, in the requested order. */
  missing?: readonly MissingBook[]
  /** The columns of flat formats. */
  columns?: readonly string[]
  /** Makes the answer, with its rows in `encoding`. Adds the envelope's fields to the metadata of `encoding`. */
  answer(workers: Pick<Workers, 'ask'>, encoding: TableEncoding): Promise<RecordsAnswer>
}

/** A requested book that is missing in an answer about many books: its ids, and the reason. */
export type MissingBook = { ids: Readonly<Record<string, string | null>>; failure: { code: string; detail: string } }

/** `envelope` holds every field before `data`; if null, `data` is the whole answer. */
export type RecordsAnswer = {
  envelope: Record<string, unknown> | null
  /** Number of rows, if known before the first one and not in the envelope. */
  dataCount?: number
  data: AnswerBytes
  /** Returns the number of rows after all are read, if the envelope does not have it. */
  rowCount?: () => number
}

/** A question that sends its own response, such as a file or a redirect. */
export type FileQuestion<Own extends string = never> = Declared<Own> & {
  kind: 'file'
  respond(means: FileMeans, parsed: ParsedQuery<Own>, request: Request): Promise<Response>
}

/** What a file question uses for its answer. */
export type FileMeans = { catalogue: Catalogue; secret: StoreSecret; tagOf: TagOf; dayFiles: DayFiles }

export type Question = IndexQuestion<string> | RecordsQuestion<string> | FileQuestion<string>
