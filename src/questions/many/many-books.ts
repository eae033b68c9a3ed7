// Turns a question about one book (`/market/…`) into a question about many books in one request (`/markets/…`).

import type { Catalogue } from '../../../storage/catalogue.ts'
import { DataError } from '../../../storage/failures.ts'
import type { AnswerBytes, StreamListener, Workers } from '../../../workers/requests.ts'
import type { TableEncoding } from '../../../workers/table/encode-table.ts'
import { joinTables } from '../../../workers/table/joined-tables.ts'
import type { InFormat } from '../../../workers/tasks/table-task.ts'
import { assertBucketsFit, readWindow } from '../../http/parameters/time-window.ts'
import {
  type ParameterNames,
  RESOLUTION_SECONDS,
  type VenueParameters,
} from '../../http/parameters/venue-parameters.ts'
import { RequestFailure } from '../../http/server/request-failure.ts'
import type { MissingBook, ParsedQuery, RecordsAnswer, RecordsPlan, RecordsQuestion } from '../question.ts'
import { assertAnswerable } from '../stored-assets.ts'
import { aboutMany } from './about-many.ts'
import { inTurn } from './in-turn.ts'
import { joinedChunks } from './joined-chunks.ts'
import { bytesOf, type Entry, jsonOfMany } from './json-of-many.ts'
import { bookParameters, type NamedBook, requestedBooks } from './named-books.ts'

/** Number of answers that are made ahead of their turn. Each holds at most 1 MB while it waits. */
const AHEAD = 4

/** A book with its own plan, which runs unless there is a failure. */
type Part = Entry & NamedBook & { plan: RecordsPlan }

export function ofMany(one: RecordsQuestion<string>): RecordsQuestion<string> {
  return {
    kind: 'records',
    ...(one.formats === undefined ? {} : { formats: one.formats }),
    path: one.path.replace('/market/', '/markets/'),
    // Each book counts as one call, even if the question about one book is free.
    isBillable: true,
    parameters: (venue) => parametersOfMany(one.parameters(venue), venue),
    about: (venue) => aboutMany(one, venue),
    async plan(parsed, secret, catalogue) {
      const books = await requestedBooks(parsed, catalogue)
      assertBucketsFitInAll(one, parsed, books.length)
      const parts = await Promise.all(books.map((book) => partOf(one, parsed, book, { secret, catalogue })))
      const answered = parts.filter(({ failure }) => failure === null)
      if (answered.length === 0) throw noneStored(parts)
      return {
        market: [...new Set(parts.map(({ market }) => market))],
        calls: answered.length,
        fromMs: Math.min(...parts.map(({ plan }) => plan.fromMs)),
        toMs: Math.max(...parts.map(({ plan }) => plan.toMs)),
        identity: parts.map(({ plan, failure }) => [plan.identity, failure]),
        isCacheable: false,
        missing: parts.flatMap(({ ids, failure }) => (failure === null ? [] : [{ ids, failure }])),
        ...(answered[0]!.plan.columns === undefined ? {} : { columns: answered[0]!.plan.columns }),
        answer: async (workers, encoding) => answerOf(parts, workers, encoding),
      }
    },
  }
}

function parametersOfMany({ required, optional, own }: ParameterNames<string>, venue: VenueParameters) {
  const books = bookParameters(venue)
  return {
    required: required.filter((name) => name !== 'market' && name !== 'asset_id'),
    optional: [...Object.keys(books), ...optional.filter((name) => name !== 'asset_id')],
    own: { ...own, ...books },
  }
}

function assertBucketsFitInAll(
  one: RecordsQuestion<string>,
  { parameters, query }: ParsedQuery<string>,
  books: number,
) {
  const { required, optional } = one.parameters(parameters)
  if (![...required, ...optional].includes('resolution')) return
  assertBucketsFit(readWindow(query), Number(query.resolution ?? RESOLUTION_SECONDS.default), books)
}

async function partOf(
  one: RecordsQuestion<string>,
  parsed: ParsedQuery<string>,
  book: NamedBook,
  { secret, catalogue }: { secret: Uint8Array; catalogue: Catalogue },
): Promise<Part> {
  const { parameters } = parsed
  const { market, asset } = book
  const { tickers: _, books: __, event: ___, ...others } = parsed.query
  const query = { ...others, [parameters.idParameter]: market, ...(asset === null ? {} : { asset_id: asset }) }
  const plan = await one.plan({ ...parsed, query }, secret, catalogue)
  const ids = { [parameters.idField]: market, ...(parameters.hasAssets ? { asset_id: asset } : {}) }
  const names = one.parameters(parameters)
  const failure = await assertAnswerable(catalogue, names, { parameters, query }, market).then(() => null, failureOf)
  return { ...book, ids, plan, failure }
}

/** Returns the failure of a book that is not stored, for its entry. Rethrows any other error. */
function failureOf(error: unknown): MissingBook['failure'] {
  if (error instanceof DataError && error.code === 'market_not_stored')
    return { code: error.code, detail: error.message }
  if (error instanceof RequestFailure && error.code === 'asset_not_stored') {
    return { code: error.code, detail: error.message }
  }
  throw error
}

function noneStored([first, ...others]: Part[]): DataError {
  const detail = `Nothing is stored of any of the ${others.length + 1} requested books: see market/list`
  return new DataError('market_not_stored', others.length === 0 ? first!.failure!.detail : detail)
}

async function answerOf(
  parts: readonly Part[],
  workers: Pick<Workers, 'ask'>,
  encoding: TableEncoding,
): Promise<RecordsAnswer> {
  const answered = parts.filter(({ failure }) => failure === null)
  const texts = {
    market: [...new Set(answered.map(({ market }) => market))],
    asset_id: [...new Set(answered.flatMap(({ asset }) => asset ?? []))],
  }
  let listener: StreamListener | undefined
  let rowCount = 0
  const begin = async (index: number, turn: Promise<void>) => {
    const { plan, ids } = answered[index]!
    const part = { isFirst: index === 0, texts }
    const answer = await plan.answer(askingInTurn(workers, turn, ids), { ...encoding, part })
    const { data, envelope } = answer
    rowCount += Number(envelope?.['data_points'] ?? envelope?.['data_count'] ?? 1)
    if ('follow' in data) data.follow?.({ slow: () => listener?.slow(), cut: (error) => listener?.cut(error) })
    return answer
  }
  const leave = ({ data }: RecordsAnswer) => void ('chunks' in data && data.chunks.return?.())
  const { format } = encoding
  let answers: AsyncGenerator<RecordsAnswer> = inTurn(answered.length, AHEAD, { begin, leave })
  const isCounted = answered.length === 1 && format !== 'json'
  if (isCounted) answers = only((await answers.next()).value)
  const pieces = format === 'json' ? jsonOfMany(parts, answers) : joinTables(format, bytesOfEach(answers))
  const data: AnswerBytes = {
    chunks: joinedChunks(pieces),
    follow: (given) => {
      listener = given
    },
  }
  return { envelope: null, data, rowCount: () => rowCount, ...(isCounted && { dataCount: rowCount }) }
}

async function* only(answer: RecordsAnswer): AsyncGenerator<RecordsAnswer> {
  yield answer
}

async function* bytesOfEach(answers: AsyncIterable<RecordsAnswer>): AsyncGenerator<AsyncIterable<Uint8Array>> {
  for await (const { data } of answers) yield bytesOf(data)
}

/** Returns workers that start a large task only when its turn comes: results made ahead would fill a thread's memory.
 *  They also remove the book's ids from the metadata, because all books share the metadata. */
const askingInTurn = (workers: Pick<Workers, 'ask'>, turn: Promise<void>, ids: Entry['ids']): Pick<Workers, 'ask'> => ({
  async ask(task, request) {
    if (task.weight(request) > 0) await turn
    const { encoding } = request as InFormat<object>
    if (encoding?.metadata === undefined) return workers.ask(task, request)
    const metadata = Object.fromEntries(Object.entries(encoding.metadata).filter(([name]) => !(name in ids)))
    return workers.ask(task, { ...request, encoding: { ...encoding, metadata } })
  },
})
