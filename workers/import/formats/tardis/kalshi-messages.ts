// Rows of Kalshi in Tardis' columns, as messages of its WebSocket: a bid of the file is a bid for YES, an ask at p one
// for NO at 1 - p. The file says sizes, the venue says how much they change: so what was there has to be known.

import { decimalUnits } from '../../rows/decimal-units.ts'
import { instantText } from '../../trades/trade-values.ts'
import type { TardisRow } from './tardis-rows.ts'

export type FileLevel = { isBid: boolean; price: string; amount: string }

const PLACES = 6
const DOLLAR = 10 ** PLACES
const [PRICE_DIGITS, SIZE_DIGITS] = [4, 2]

export class KalshiBooks {
  /** Millionths of contracts by side and price; of a market that a snapshot began. */
  readonly #markets = new Map<string, Map<string, number>>()

  /** Undefined where a value has more digits than the venue prints. */
  snapshot(market: string, levels: readonly FileLevel[]): string | undefined {
    const book = new Map<string, number>()
    const sides = { yes: [] as string[], no: [] as string[] }
    const sorted = levels.map(read).sort((one, other) => one.price - other.price)
    for (const { side, price, size } of sorted) {
      if (Number.isNaN(price) || Number.isNaN(size)) return undefined
      book.set(`${side} ${price}`, size)
      sides[side].push(`["${printed(price, PRICE_DIGITS)}","${printed(size, SIZE_DIGITS)}"]`)
    }
    this.#markets.set(market, book)
    // A side that is empty is not there.
    const told = (side: 'yes' | 'no') =>
      sides[side].length === 0 ? '' : `,"${side}_dollars_fp":[${sides[side].join(',')}]`
    return `{"type":"orderbook_snapshot","msg":{"market_ticker":"${market}"${told('yes')}${told('no')}}}`
  }

  /** Undefined before the market's first snapshot, and where a value has more digits than the venue prints. */
  change({ market, venueUs }: TardisRow, level: FileLevel): string | undefined {
    const book = this.#markets.get(market)
    const { side, price, size } = read(level)
    if (book === undefined || Number.isNaN(price) || Number.isNaN(size)) return undefined
    const key = `${side} ${price}`
    const change = size - (book.get(key) ?? 0)
    book.set(key, size)
    return (
      `{"type":"orderbook_delta","msg":{"market_ticker":"${market}","price_dollars":"${printed(price, PRICE_DIGITS)}",` +
      `"delta_fp":"${printed(change, SIZE_DIGITS)}","side":"${side}",${timeOf(venueUs)}}}`
    )
  }
}

/** `id` is undefined where the row has none. */
export function kalshiTrade(
  { market, venueUs }: TardisRow,
  id: string | undefined,
  taker: string,
  price: string,
  amount: string,
) {
  const name = id === undefined ? '' : `"trade_id":"${id}",`
  const side = { buy: '"taker_side":"yes",', sell: '"taker_side":"no",' }[taker] ?? ''
  return (
    `{"type":"trade","msg":{${name}"market_ticker":"${market}","yes_price_dollars":"${price}","count_fp":"${amount}",` +
    `${side}${timeOf(venueUs)}}}`
  )
}

/** `ts` says more than `ts_ms` where the file has microseconds. */
function timeOf(us: string): string {
  const ms = `"ts_ms":${us.slice(0, -3)}`
  return us.endsWith('000') ? ms : `"ts":"${instantText(Number(us))}",${ms}`
}

function read({ isBid, price, amount }: FileLevel) {
  const units = decimalUnits(price, PLACES)
  const side = isBid ? ('yes' as const) : ('no' as const)
  return { side, price: isBid ? units : DOLLAR - units, size: decimalUnits(amount, PLACES) }
}

/** With so many digits after the point at least. */
function printed(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(PLACES + 1, '0')
  const fraction = text.slice(-PLACES).replace(/0+$/, '').padEnd(digits, '0')
  return `${units < 0 ? '-' : ''}${text.slice(0, -PLACES)}.${fraction}`
}
