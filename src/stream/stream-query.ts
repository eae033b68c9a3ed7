// Parses the query of a stream: its markets and channels.

import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { CHANNELS, type Channel } from '../../workers/follow/follow-request.ts'
import { listOf } from '../http/parameters/parameter.ts'
import { type VenueMarket, venueMarketsNamed } from '../http/parameters/venue-markets.ts'
import { parametersInvalid, quoted } from '../http/server/request-failure.ts'

export type StreamQuery = {
  /** Sorted by venue and market. */
  markets: readonly VenueMarket[]
  /** Null if the markets were listed. */
  event: string | null
  /** In the order of CHANNELS. */
  channels: readonly Channel[]
}

export const CHANNELS_PARAMETER = listOf(
  {
    entry: `(?:${CHANNELS.join('|')})`,
    accepts: CHANNELS.join(', ').replace(/, ([^,]*)$/, ' or $1'),
    plural: 'channels',
    max: CHANNELS.length,
  },
  { description: 'The channels of each market, with commas between', example: 'book,trades' },
)

type Given = { markets?: string; event?: string; channels?: string }

/** Parses the parameters. Rejects with RequestFailure. */
export async function streamQuery(given: Given, catalogue: Catalogue): Promise<StreamQuery> {
  const named = await venueMarketsNamed(given, catalogue)
  const nameOf = ({ venue, market }: VenueMarket) => `${venue}:${market}`
  const markets = named.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  return { markets, event: given.event ?? null, channels: channelsIn(given.channels ?? '') }
}

/** Rejects with DataError('market_not_stored') if a market is neither stored nor known from metadata. Accepts any
 *  market while a recorder starts, since its records may follow. */
export async function assertKnown(
  { markets }: StreamQuery,
  catalogue: Catalogue,
  isRecorderStarting: () => boolean,
): Promise<void> {
  for (const { venue, market } of markets) {
    if ((await catalogue.market(venue, market)) !== undefined) continue
    if ((await catalogue.knownMarket(venue, market)) !== undefined) continue
    if (isRecorderStarting()) continue
    throw new DataError('market_not_stored', `Nothing is stored or known of the ${venue} market ${market}`)
  }
}

function channelsIn(text: string): Channel[] {
  const names = text.split(',')
  const twice = names.find((channel, i) => names.indexOf(channel) !== i)
  if (twice === undefined) return CHANNELS.filter((channel) => names.includes(channel))
  throw parametersInvalid([{ field: 'channels', message: `must name each once, got ${quoted(twice)} twice` }])
}
