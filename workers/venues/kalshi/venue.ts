// Defines what Kalshi's messages and metadata mean.

import { MICROS } from '../../../storage/units.ts'
import { isObject, type JsonObject, quoted } from '../described-message.ts'
import type { BookNow, Meaning } from '../meaning.ts'
import { printedMicros } from '../printed-amounts.ts'
import {
  describeKalshi,
  describePart,
  describePublishedTrade,
  describeRestBook,
  isRestBook,
  REST_BOOK,
} from './describe-kalshi.ts'
import { kalshiFacts } from './kalshi-facts.ts'
import { KALSHI_PRICE, KALSHI_SIZE, kalshiForm } from './kalshi-form.ts'
import { isKalshiMetadata, kalshiMetadata, wrongTicker } from './kalshi-metadata.ts'
import { hasPrivateFields, PRIVATE_KEYS } from './private-data.ts'

export const KALSHI: Meaning = {
  describe: describeKalshi,
  describePart(kind, msg) {
    const part = isWhole(msg) ? undefined : describePart(kind, msg)
    if (part !== undefined) return part
    if (isRestBook(msg)) return describeRestBook(msg)
    return kind === 'trade' ? describePublishedTrade(msg) : undefined
  },
  frame: null,
  restHead: (ticker, body) =>
    isRestBook(body) ? `{"type":"${REST_BOOK}","ticker":${JSON.stringify(ticker)},"msg":` : undefined,
  privateKeys: (message) => (hasPrivateFields(message) ? PRIVATE_KEYS : undefined),
  metadata: {
    isMetadata: isKalshiMetadata,
    page: () => undefined,
    fault(document) {
      const wrong = wrongTicker(document)
      return wrong === undefined ? undefined : `ticker must be a Kalshi ticker, got ${quoted(wrong)}`
    },
    read: kalshiMetadata,
    facts: kalshiFacts,
  },
  instrument: {
    id: (ticker) => `${ticker}.KALSHI`,
    currencyOn: () => 'USD',
    ...{ opens: 'open_time', closes: 'close_time' },
    outcomeOf: () => 'Yes',
    info: ({ market, event }, metadata) => ({ ticker: market, event_ticker: event, result: metadata['result'] }),
  },
  hasOldSnapshots: false,
  hasNoPrices: true,
  isMatched: true,
  hasHashes: false,
  socket: { isBookWhole: false, form: kalshiForm, book: snapshot },
}

/** Returns whether the `msg` of a record is a whole message: an envelope, with a part that names the market. */
const isWhole = ({ type, msg }: JsonObject): boolean =>
  typeof type === 'string' && isObject(msg) && typeof msg['market_ticker'] === 'string'

/** Returns a snapshot. Kalshi leaves out an empty side. Levels are bids for YES and bids for NO, with the best bid
 *  last. */
async function snapshot({ market, bids, asks, changeText }: BookNow): Promise<object> {
  const sides = [
    ['yes_dollars_fp', bids],
    ['no_dollars_fp', asks.map(([price, size]): [number, number] => [MICROS - price, size])],
  ] as const
  const levels = sides.map(([key, list]) => [key, list.map(fixedLevel)] as const)
  return {
    market_ticker: market,
    // Clients treat a market without a `market_id` as nonexistent.
    market_id: (await changeText('market_id')) ?? market,
    ...Object.fromEntries(levels.filter(([, each]) => each.length > 0)),
  }
}

const fixedLevel = ([price, size]: [number, number]): [string, string] => [
  printedMicros(price, KALSHI_PRICE),
  printedMicros(size, KALSHI_SIZE),
]
