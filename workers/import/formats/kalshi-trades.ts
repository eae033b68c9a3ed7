// Reads trades of Kalshi's REST API (docs.kalshi.com, GET /markets/trades and /historical/trades), saved unchanged:
// pages, lists of trades, or one trade per line. Stores a trade as the API returned it.

import { TICKER } from '../../../storage/venues/kalshi.ts'
import { isObject } from '../../venues/described-message.ts'
import type { ArchiveFormat, ArchiveOptions } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { jsonValues } from '../text/json-values.ts'
import { type TradeSource, tradeParts } from '../trades/trade-shares.ts'
import { messageBytesOf, timeUsOf } from '../trades/trade-values.ts'

export const kalshiTrades: ArchiveFormat = {
  name: 'kalshi-trades',
  description: "pages of trades of Kalshi's REST API (JSON)",
  source: 'kalshi-trades',
  clock: 'none',
  order: 'none',
  hashStored: false,
  isRebuilt: false,
  isByMarket: true,
  licence: null,
  attribution: 'Kalshi',
  open: (file: ByteFile, options: ArchiveOptions) => tradeParts(file, options, pagesOf(file)),
}

function pagesOf(file: ByteFile): TradeSource {
  return {
    messageBytes: messageBytesOf(file),
    read: async (take, reject, onProgress) => {
      let row = 0
      for await (const { values, fileBytes } of jsonValues(file)) {
        for (const trade of values.flatMap(tradesIn)) {
          row++
          const found = isObject(trade) ? tradeOf(trade) : 'a trade must be a JSON object'
          if (typeof found === 'string') reject(row, found, JSON.stringify(trade))
          else take({ ...found, row, message: trade as Record<string, unknown> })
        }
        onProgress(fileBytes)
      }
    },
  }
}

function tradesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(tradesIn)
  return isObject(value) && Array.isArray(value['trades']) ? value['trades'] : [value]
}

/** Returns the market and time of a trade, or why it is not valid. */
function tradeOf({ trade_id: id, ticker, created_time: time }: Record<string, unknown>) {
  if (typeof id !== 'string') return 'the trade has no trade_id'
  if (typeof ticker !== 'string' || !TICKER.test(ticker)) return 'the trade names no ticker'
  const timeUs = timeUsOf(time)
  if (typeof time !== 'string' || Number.isNaN(timeUs)) return 'created_time must be a time'
  return { market: ticker.toUpperCase(), timeUs }
}
