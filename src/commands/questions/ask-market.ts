// Asks the market endpoints without a server, port or key. Accepts and refuses the same parameters as the server, with
// the same messages, except that the messages name flags.

import type { TObject } from '@sinclair/typebox'
import { DataError } from '../../../storage/failures.ts'
import type { Store } from '../../../storage/open-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import { assertQuery } from '../../http/parameters/assert-query.ts'
import { readBounds } from '../../http/parameters/time-window.ts'
import { marketOf, type ParameterNames, querySchema } from '../../http/parameters/venue-parameters.ts'
import { REQUEST_FAILURES, RequestFailure } from '../../http/server/request-failure.ts'
import type { ParsedQuery } from '../../questions/question.ts'
import { assertAnswerable } from '../../questions/stored-assets.ts'
import { API_VENUES } from '../../venues.ts'
import { CommandError, EXIT, SEE_VERIFY } from '../terminal/program.ts'
import type { Question } from './market-question.ts'

/** Rejects with CommandError if a parameter is refused, or the market or its token is not stored. */
export function parseQuery(
  store: Store,
  { parameters, query }: Question,
  names: ParameterNames<string>,
): Promise<ParsedQuery> {
  return inCommandWords(async () => {
    assertQuery(querySchema(parameters, names) as unknown as TObject, query)
    // Check only a question about one market. A question about many books itself reports each book that is not stored.
    if (names.required.includes('market')) {
      await assertAnswerable(store.catalogue, names, { parameters, query }, marketOf(parameters, query))
    }
    return { parameters, query: inMs(query), nowMs: Date.now() }
  })
}

/** Converts the bounds of a query to ISO times. Endpoints answer in the unit of numeric bounds, but commands print
 *  all times in ms. */
function inMs(query: Question['query']): Question['query'] {
  if (query.start_timestamp === undefined || query.end_timestamp === undefined) return query
  const { fromMs, toMs } = readBounds(query)
  const inWords = (ms: number) => new Date(ms).toISOString()
  return { ...query, start_timestamp: inWords(fromMs), end_timestamp: inWords(toMs) }
}

/** Turns every expected failure into a CommandError. */
export async function inCommandWords<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw commandErrorOf(error) ?? error
  }
}

const NOT_STORED = new Set<string>(['market_not_stored', 'asset_not_stored', 'event_not_found'])

function commandErrorOf(error: unknown): CommandError | undefined {
  if (!(error instanceof RequestFailure || error instanceof DataError)) return undefined
  const { code, message } = error
  if (NOT_STORED.has(code)) {
    return new CommandError(inFlags(message), EXIT.notStored)
  }
  if (code === 'block_corrupt') return new CommandError(`${message}: ${SEE_VERIFY}`, EXIT.failed)
  const isRefused = error instanceof RequestFailure && REQUEST_FAILURES[error.code].status < 500
  return new CommandError(inFlags(message), isRefused ? EXIT.usage : EXIT.failed)
}

const MARKET_NAMES = new RegExp(
  `^(?:${VENUES.flatMap((venue) => [API_VENUES[venue].idParameter, API_VENUES[venue].listParameter]).join('|')})\\b`,
)

/** Replaces the parameter names in an endpoint's message with the names of flags. */
export const inFlags = (detail: string): string =>
  detail
    .replace(MARKET_NAMES, '--market')
    .replace(/\b(start|end)_timestamp\b/g, '--$1')
    .replaceAll('asset_id', '--asset-id')
    .replace(/^[a-z_]+(?= (?:must|is|cannot)\b)/, (name) => `--${name.replaceAll('_', '-')}`)
    .replaceAll('market/list', 'the command markets')
    .replaceAll('market/coverage', 'the command coverage')
