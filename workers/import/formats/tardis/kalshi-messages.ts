// Builds Kalshi WebSocket messages from rows in Tardis' columns: a bid of the file is a bid for YES, an ask at p is a
// bid for NO at 1 - p. The file has the new size of a level, but the venue's deltas have the change of the size. So the
// previous size of the level must be known.

import { decimalUnits } from '../../rows/decimal-units.ts'
import { instantText } from '../../trades/trade-values.ts'
import type { TardisRow } from './tardis-rows.ts'

export type FileLevel = { isBid: boolean; price: string; amount: string }

const PLACES = 6
const DOLLAR = 10 ** PLACES
const [PRICE_DIGITS, SIZE_DIGITS] = [4, 2]

export class KalshiBooks {
  /** Sizes in millionths of contracts, by side and price, for each market that has had a snapshot. */
  readonly #markets = new Map<string, Map<string, number>>()

  /** Returns the message of a snapshot; undefined if a value has more digits than the venue prints. */
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
    // The venue leaves out an empty side.
    const printedSide = (side: 'yes' | 'no') =>
      sides[side].length === 0 ? '' : `,"${side}_dollars_fp":[${sides[side].join(',')}]`
    return `{"type":"orderbook_snapshot","msg":{"market_ticker":"${market}"${printedSide('yes')}${printedSide('no')}}}`
  }

  /** Returns the message of a change; undefined before the market's first snapshot, and if a value has more digits than
   *  the venue prints. */
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

/** Returns the message of a trade. `id` is undefined if the row has none. */
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

/** `ts` is more precise than `ts_ms` if the file has microseconds. */
function timeOf(us: string): string {
  const ms = `"ts_ms":${us.slice(0, -3)}`
  return us.endsWith('000') ? ms : `"ts":"${instantText(Number(us))}",${ms}`
}

function read({ isBid, price, amount }: FileLevel) {
  const units = decimalUnits(price, PLACES)
  const side = isBid ? ('yes' as const) : ('no' as const)
  return { side, price: isBid ? units : DOLLAR - units, size: decimalUnits(amount, PLACES) }
}

/** Prints units with at least `digits` digits after the decimal point. */
function printed(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(PLACES + 1, '0')
  const fraction = text.slice(-PLACES).replace(/0+$/, '').padEnd(digits, '0')
  return `${units < 0 ? '-' : ''}${text.slice(0, -PLACES)}.${fraction}`
}
