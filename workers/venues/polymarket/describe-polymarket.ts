// Describes messages of Polymarket's CLOB market channel (docs.polymarket.com/asyncapi.json): book, the three
// generations of price_change, last_trade_price and tick_size_change. Also describes REST books, which have no
// event_type.

import { CONDITION_ID } from '../../../storage/venues/polymarket.ts'
import {
  type DescribedMessage,
  emptyDescription,
  isObject,
  type JsonObject,
  type NoRecord,
  quoted,
} from '../described-message.ts'
import { asOther, bookFault, isOutside, OUTSIDE } from '../unreadable.ts'

const KIND_OF_TYPE = {
  book: 'snapshot',
  price_change: 'delta',
  last_trade_price: 'trade',
  tick_size_change: 'tick_size',
} as const
const TRADE: DescribedMessage['trade'] = {
  price: { path: 'price', mayBeCents: false },
  size: { path: 'size', mayBeCents: false },
  side: 'side',
  sideMeaning: 'action',
  id: 'transaction_hash',
}

/** Returns the description of a message; undefined if it is not a Polymarket message. */
export function describePolymarket(message: JsonObject): DescribedMessage | NoRecord | undefined {
  const { market, event_type: type } = message
  if (isPrivate(message)) return { skip: `private ${type}` }
  if (typeof market !== 'string') {
    if (typeof type === 'string') return { reject: `a ${quoted(type)} message names no market` }
    return Array.isArray(message['bids']) && message['ticker'] === undefined
      ? { reject: 'a book names no market' }
      : undefined
  }
  if (!CONDITION_ID.test(market))
    return { reject: `market must be a condition id (0x and 64 hex digits), got ${quoted(market)}` }
  if (assetIdsOf(message).some((id) => !id.isWellFormed())) return { reject: 'an asset_id must be Unicode text' }
  const described = describe(kindOf(type, message), message)
  const fault = faultOf(described, message)
  return fault === undefined ? described : asOther(described, fault)
}

/** Returns whether a message is of the user channel: an order, or a trade with its orders. */
const isPrivate = (message: JsonObject): boolean =>
  (message['event_type'] === 'order' || message['event_type'] === 'trade') &&
  ['owner', 'order_owner', 'trade_owner', 'maker_orders'].some((key) => Object.hasOwn(message, key))

/** Returns why no book can apply a message; undefined if a book can apply it. */
function faultOf({ kind }: DescribedMessage, message: JsonObject): string | undefined {
  if (kind === 'trade') return isOutside(message['price'], false) ? OUTSIDE : undefined
  if (kind !== 'snapshot') return undefined
  const sides = SIDES.map((key) => ((message[key] ?? null) === null ? undefined : key))
  const fault = bookFault(message, sides, (key) => SIDES.includes(key), isLevel)
  if (fault !== undefined) return fault
  const levels = SIDES.flatMap((key) => (message[key] ?? []) as unknown[]).filter(isObject)
  return levels.some(({ price }) => isOutside(price, false)) ? OUTSIDE : undefined
}

const SIDES = ['bids', 'asks']
const isLevel = (level: unknown): boolean => isObject(level) && Object.hasOwn(level, 'price')

// Returns the asset ids of a message. The caller checks them, because the store names books in UTF-8, which cannot
// encode half a surrogate pair.
function assetIdsOf(message: JsonObject): string[] {
  const lists = [message['price_changes'], message['changes']].filter((list) => Array.isArray(list))
  const ids = [message, ...lists.flat().filter(isObject)].map((entry) => entry['asset_id'])
  return ids.filter((id) => typeof id === 'string')
}

function kindOf(type: unknown, message: JsonObject): DescribedMessage['kind'] {
  if (typeof type === 'string' && Object.hasOwn(KIND_OF_TYPE, type)) {
    return KIND_OF_TYPE[type as keyof typeof KIND_OF_TYPE]
  }
  const isRestBook = type === undefined && Array.isArray(message['bids']) && Array.isArray(message['asks'])
  return isRestBook && typeof message['asset_id'] === 'string' ? 'snapshot' : 'other'
}

function describe(kind: DescribedMessage['kind'], message: JsonObject): DescribedMessage {
  const { timestamp } = message
  const time = typeof timestamp === 'string' || typeof timestamp === 'number' ? 'timestamp' : null
  const description: DescribedMessage = {
    ...emptyDescription({
      ...{ venue: 'polymarket', kind, msg: '', envelopeType: null, market: 'market' },
      book: typeof message['asset_id'] === 'string' ? { path: 'asset_id', list: null } : null,
    }),
    ...{ eventTime: time, quoteTime: time },
    trade: kind === 'trade' ? TRADE : null,
  }
  if (kind === 'snapshot') description.levels = [levelsOf('bids', 'bid'), levelsOf('asks', 'ask')]
  if (kind === 'delta') describeChanges(description, message)
  return description
}

function levelsOf(list: 'bids' | 'asks', side: 'bid' | 'ask'): DescribedMessage['levels'][number] {
  return {
    list,
    side,
    price: { path: `${list}[].price`, mayBeCents: false },
    size: { path: `${list}[].size`, mayBeCents: false },
    isComplement: false,
  }
}

/** Describes the changes of a message. The newest form names a book in each entry. The form until 2025-09-15 has a list
 *  of changes of one book. The oldest form is itself a single change. */
function describeChanges(description: DescribedMessage, message: JsonObject): void {
  const list = ['price_changes', 'changes'].find((key) => Array.isArray(message[key]))
  const prefix = list === undefined ? '' : `${list}[].`
  const entries = list === undefined ? [message] : (message[list] as unknown[]).filter(isObject)
  // Take the first entry that names its book, because entries before it may be invalid. If no entry names its book,
  // take the first entry.
  const sample = entries.find((entry) => typeof entry['asset_id'] === 'string') ?? entries[0]
  if (sample === undefined) return
  if (list !== undefined && typeof sample['asset_id'] === 'string') {
    description.book = { path: `${prefix}asset_id`, list }
  }
  description.changes = {
    list: list ?? null,
    price: { path: `${prefix}price`, mayBeCents: false },
    size: { path: `${prefix}size`, mayBeCents: false },
    side: `${prefix}side`,
    isSigned: false,
  }
  const hasBest = entries.some((entry) => isPrinted(entry['best_bid']) && isPrinted(entry['best_ask']))
  if (hasBest) description.best = { bid: `${prefix}best_bid`, ask: `${prefix}best_ask` }
}

const isPrinted = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
