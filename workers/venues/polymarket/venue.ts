// Defines what Polymarket's messages and Gamma's metadata mean.

import { SLUG_BYTES_MAX } from '../../../storage/catalogue.ts'
import type { BookNow, Meaning } from '../meaning.ts'
import { printedMicros } from '../printed-amounts.ts'
import { describePolymarket } from './describe-polymarket.ts'
import { gammaFacts } from './gamma-facts.ts'
import { gammaMetadata, gammaPage, hasLongSlug, isGamma } from './gamma-metadata.ts'
import { hashedTradePrice } from './hash-recipe.ts'
import { polymarketForm } from './polymarket-form.ts'
import { realTimeFrame } from './real-time-frame.ts'

/** Polymarket's markets use pUSD from this date on. */
const PUSD_FROM = '2026-04-28'

export const POLYMARKET: Meaning = {
  describe: describePolymarket,
  describePart: null,
  frame: realTimeFrame,
  restHead: null,
  privateKeys: null,
  metadata: {
    isMetadata: isGamma,
    page: gammaPage,
    fault: (document) => (hasLongSlug(document) ? `a slug is longer than ${SLUG_BYTES_MAX} bytes` : undefined),
    read: gammaMetadata,
    facts: gammaFacts,
  },
  instrument: {
    id: (market, token) => `${market}-${token}.POLYMARKET`,
    currencyOn: (date) => (date < PUSD_FROM ? 'USDC' : 'pUSD'),
    ...{ opens: 'startDate', closes: 'endDate' },
    outcomeOf: (token, outcomes) => outcomes.find(({ asset_id }) => asset_id === token)?.outcome ?? null,
    info: ({ market, book }, metadata) => ({
      ...{ condition_id: market, fee_schedule: metadata['feeSchedule'], market_id: metadata['id'] },
      ...{ market_slug: metadata['slug'], neg_risk: metadata['negRisk'], question_id: metadata['questionID'] },
      token_id: book,
    }),
  },
  hasOldSnapshots: true,
  hasNoPrices: false,
  isMatched: false,
  hasHashes: true,
  socket: {
    isBookWhole: true,
    form: ({ kind }, _, message) => {
      const found = polymarketForm(kind, message)
      return found && { message: found, isWhole: true }
    },
    book,
  },
}

/** Returns a book in the form in which the venue sends it to a new subscriber. The message's time is the time of the
 *  book's last change. Bids ascend and asks descend. */
async function book({ market, book: token, bids, asks, changedMs, tickSize, ...record }: BookNow): Promise<object> {
  const price = await record.tradeText('price')
  return {
    market,
    asset_id: token,
    timestamp: (await record.changeText('timestamp')) ?? String(changedMs),
    // Inside a batch the hash cannot be verified, because it covers the book after the whole batch.
    hash: ((await record.isVerified()) ? await record.changeText('hash') : undefined) ?? '',
    bids: bids.map(level),
    asks: asks.map(level),
    ...(tickSize === null ? {} : { tick_size: printedMicros(tickSize, 0) }),
    event_type: 'book',
    last_trade_price: price === undefined ? '' : hashedTradePrice(price),
  }
}

const level = ([price, size]: [number, number]) => ({ price: printedMicros(price, 0), size: printedMicros(size, 0) })
