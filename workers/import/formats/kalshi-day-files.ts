// The files of a day's trades that Kalshi publishes (kalshi-public-docs, reporting/trade_data_YYYY-MM-DD.json): one
// array of all trades of all markets. They say no side and no id, and the price in cents. A trade is stored as the file
// says it.

import type { ArchiveFormat, ArchiveOptions } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { jsonValues } from '../text/json-values.ts'
import { type TradeSource, tradeParts } from '../trades/trade-shares.ts'
import { isObject, KALSHI_TICKER, messageBytesOf, refused, timeUsOf } from '../trades/trade-values.ts'

export const kalshiDayFiles: ArchiveFormat = {
  name: 'kalshi-day-files',
  description: "Kalshi's files of all trades of a day, since 2021-07-01 (JSON)",
  source: 'kalshi-day-files',
  clock: 'none',
  order: 'none',
  hashKept: false,
  isRebuilt: false,
  isByMarket: true,
  licence: null,
  attribution: 'Kalshi',
  open: (file: ByteFile, options: ArchiveOptions) => tradeParts(file, options, dayTrades(file)),
}

const decoder = new TextDecoder()

export function dayTrades(file: ByteFile): TradeSource {
  return {
    messageBytes: messageBytesOf(file),
    hasIds: false,
    read: async (take, reject, onProgress) => {
      for await (const batch of jsonValues(file)) {
        for (let i = 0; i < batch.length; i++) {
          const row = batch.numbers[i]!
          const text = decoder.decode(batch.line(i))
          const trade = refused(() => JSON.parse(text) as unknown)
          const said = isObject(trade) ? tradeOf(trade) : 'a trade is a JSON object'
          if (typeof said === 'string') reject(row, said, text)
          else take({ ...said, row, message: text })
        }
        onProgress(batch.fileBytes)
      }
    },
  }
}

const CENTS = /^\d{1,3}$/
const DECIMAL = /^\d*\.\d+$/
const SIZE = /^\d+(?:\.\d+)?$/
const DOLLAR_CENTS = 100

/** Why it is no trade, where it is none. */
function tradeOf({ ticker_name: ticker, create_ts: time, contracts_traded: size, price }: Record<string, unknown>) {
  if (typeof ticker !== 'string' || !KALSHI_TICKER.test(ticker)) return 'the trade names no ticker_name'
  const timeUs = timeUsOf(time)
  if (typeof time !== 'string' || Number.isNaN(timeUs)) return 'create_ts is no time'
  const isCents = CENTS.test(String(price)) && Number(price) <= DOLLAR_CENTS
  // What has a point is in dollars, as everywhere in what Kalshi says.
  const isDollars = DECIMAL.test(String(price)) && Number(price) <= 1
  if (!isCents && !isDollars) return 'price is neither whole cents nor dollars'
  if (!SIZE.test(String(size))) return 'contracts_traded is no number of contracts'
  return { market: ticker.toUpperCase(), timeUs }
}
