// Describes a gap record of our own recorder: `{type: "gap", venue, market, asset_id?, msg: {reason, from, to}}`, times
// in ms. Venues do not send gaps.

import { IDENTITIES, VENUES } from '../../storage/venue.ts'
import {
  type DescribedMessage,
  emptyDescription,
  isObject,
  type JsonObject,
  type NoRecord,
} from './described-message.ts'

export function describeGap(message: JsonObject): DescribedMessage | NoRecord | undefined {
  const { type, market, msg } = message
  if (type !== 'gap' || !isObject(msg)) return undefined
  const venue = VENUES.find((each) => each === message['venue'])
  if (venue === undefined || typeof market !== 'string') {
    return { reject: `a gap must name its \`venue\` (${VENUES.toSorted().join(' or ')}) and \`market\`` }
  }
  const asset = message['asset_id']
  if (typeof asset === 'string' && !asset.isWellFormed()) return { reject: 'an asset_id must be Unicode text' }
  const book = !IDENTITIES[venue].hasAssets ? 'market' : typeof message['asset_id'] === 'string' ? 'asset_id' : null
  return {
    ...emptyDescription({
      ...{ venue, kind: 'gap', msg: 'msg', envelopeType: 'gap', market: 'market' },
      book: book === null ? null : { path: book, list: null },
    }),
    eventTime: typeof msg['from'] === 'number' || typeof msg['from'] === 'string' ? 'msg.from' : null,
  }
}
