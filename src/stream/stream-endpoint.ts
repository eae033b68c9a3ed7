// GET /stream: sends records of markets as they are committed, from now on or from a position on.

import type { Catalogue } from '../../storage/catalogue.ts'
import { VENUES } from '../../storage/venue.ts'
import { assertScope } from '../http/access/require-key.ts'
import type { StoreSecret } from '../http/answers/entity-tag.ts'
import { mustBe, patternText } from '../http/parameters/parameter.ts'
import { VENUE_MARKETS } from '../http/parameters/venue-markets.ts'
import { RequestFailure } from '../http/server/request-failure.ts'
import type { Opening, SocketEndpoint } from '../http/sockets/socket.ts'
import type { StreamHub } from './stream-hub.ts'
import { type Place, StreamPositions } from './stream-position.ts'
import { assertKnown, CHANNELS_PARAMETER, type StreamQuery, streamQuery } from './stream-query.ts'

const A_POSITION = 'the position of a message of the same stream'
const AFTER = patternText(/^[A-Za-z0-9_-]{1,8192}$/, A_POSITION, {
  description:
    'Continues after the message with this position, without loss or repetition. The header `Last-Event-ID` has the ' +
    'same meaning, and takes precedence',
})

const DESCRIPTION =
  'Sends records, trades, quotes and books of up to 200 markets as they are committed, over WebSocket or as ' +
  'server-sent events. It begins with the present state; with `after` it continues where an earlier connection ended. ' +
  'Each message has `venue`, `market`, `channel` and `position`.'

type Dependencies = { hub: StreamHub; catalogue: Catalogue; secret: StoreSecret; isRecorderStarting: () => boolean }

export const streamEndpoint = ({ hub, catalogue, secret, isRecorderStarting }: Dependencies): SocketEndpoint => ({
  path: '/stream',
  venue: null,
  required: { channels: CHANNELS_PARAMETER },
  optional: { ...VENUE_MARKETS, after: AFTER },
  hasEvents: true,
  about: {
    id: 'stream',
    summary: 'Markets as they grow',
    description: DESCRIPTION,
    tag: 'lookup',
    failures: ['market_not_stored', 'event_not_found', 'cursor_invalid', 'store_unavailable'],
  },
  async accept({ kind, query: given, key, lastEventId }: Opening) {
    const query = await streamQuery(given, catalogue)
    const venues = VENUES.filter((venue) => query.markets.some((market) => market.venue === venue))
    if (key !== null) for (const venue of venues) assertScope(key, venue)
    await assertKnown(query, catalogue, isRecorderStarting)
    const positions = new StreamPositions(await secret(), query)
    return hub.accept(kind, query, positions, placesAt(positions, query, given['after'], lastEventId))
  },
})

/** Returns the place at which each market continues. Throws RequestFailure('cursor_invalid'). */
function placesAt(
  positions: StreamPositions,
  { markets }: StreamQuery,
  after: string | undefined,
  lastEventId: string | null,
): Place[] {
  const isEvent = lastEventId !== null && lastEventId !== ''
  const position = isEvent ? lastEventId : after
  if (position === undefined) return markets.map(() => null)
  const places = positions.open(position)
  if (places !== undefined) return places
  const field = isEvent ? 'Last-Event-ID' : 'after'
  const message = mustBe(A_POSITION, position)
  throw new RequestFailure('cursor_invalid', `${field} ${message}`, { errors: [{ field, message }] })
}
