// What a market endpoint declares. The shared way from a request to its answer stands once, in question-routes.ts.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import type { ParameterNames, QueryText, VenueParameters } from '../http/parameters/venue-parameters.ts'
import type { Operation } from '../openapi/operation.ts'

/** One request: its venue, and its parameters, each of them valid by itself. */
export type Asked = { parameters: VenueParameters; query: QueryText; nowMs: number }

type Declared = {
  /** The path behind `/{venue}/market/`. */
  path: string
  /** Whether Polymarket's is also found without the venue's path segment. */
  hasAlias: boolean
  /** Whether an answer counts for the plan. */
  isBillable: boolean
  parameters: (venue: VenueParameters) => ParameterNames
  /** What the documentation says of it. */
  about: (venue: VenueParameters) => Omit<Operation, 'tag' | 'access'>
}

/** Answered from the index alone, in one piece. */
export type IndexQuestion = Declared & {
  kind: 'index'
  /** Whether the answer stays short, and is never compressed. */
  isShort: boolean
  read(catalogue: Catalogue, asked: Asked): Promise<IndexAnswer>
}

/** `make` is called only where somebody reads the answer. */
export type IndexAnswer = {
  /** All that the answer follows from. */
  identity: readonly unknown[]
  make: () => object | Promise<object>
}

/** Answered by the workers from stored records, streamed. */
export type RecordsQuestion = Declared & {
  kind: 'records'
  /** Throws RequestFailure where parameters do not fit together. */
  plan(asked: Asked, secret: Uint8Array): RecordsPlan
}

/** What a request comes to, decided without reading anything. */
export type RecordsPlan = {
  market: string
  /** The instants that are read, both inclusive. */
  fromMs: number
  toMs: number
  /** All that the answer follows from besides what is stored. */
  identity: readonly unknown[]
  /** Whether the answer is worth keeping for those who ask the same. */
  isKept: boolean
  answer(workers: Pick<Workers, 'ask'>): Promise<RecordsAnswer>
}

/** `envelope` holds every field before `data`. */
export type RecordsAnswer = { envelope: Record<string, unknown>; data: AnswerBytes }

export type Question = IndexQuestion | RecordsQuestion
