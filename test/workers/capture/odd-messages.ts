// Generates messages of both venues and mutates their JSON text: any JSON that a venue or an archive may print.

import { Random } from '../../../workers/synthetic/random.ts'

export const TICKER = 'KXODD-1'
export const CONDITION = `0x${'0d'.repeat(32)}`
export const NOON = Date.parse('2026-08-10T12:00:00Z')

type Text = string

const ODD_NUMBERS = ['0', '-0', '1e400', '-1e400', '1E5', '0.10', '1.0', '123456789012345678901234567890', '1e-7', '48']
const ODD_STRINGS = [
  '""',
  '".48"',
  '"-0"',
  '"00.5"',
  '"0.4800"',
  '"1e400"',
  '"\\u00e9\\n\\"\\\\\\/"',
  '"é漢字🙂"',
  '"\\ud83d"',
  '"\\u0000"',
  '"2026-08-10T12:00:00.120Z"',
  '"2026-08-10T12:00:00.123456Z"',
  '"9999-12-31T23:59:59.999999Z"',
  '"0123456789abcdef0123456789abcdef"',
  '" spaces "',
]
const ODD_KEYS = ['note', 'a b', 'é', '__proto__', 'constructor', '0', '', 'x\\"y', 'list', 'type', 'sid']

export class OddMessages {
  readonly random: Random

  constructor(seed: number) {
    this.random = new Random(seed, 'odd messages')
  }

  /** Returns the JSON text of a message. The stored `msg` must be deep-equal to it or to its `msg`. */
  next(index: number): Text {
    const base = this.random.chance(0.5) ? this.#kalshi(index) : this.#polymarket(index)
    return this.random.chance(0.3) ? this.#spaced(base) : base
  }

  value(depth: number): Text {
    const { random } = this
    const kind = random.below(depth > 0 ? 8 : 5)
    if (kind === 0) return random.pick(['null', 'true', 'false'])
    if (kind <= 2) return random.pick(ODD_NUMBERS)
    if (kind <= 4) return random.pick(ODD_STRINGS)
    const count = random.below(4)
    const items = Array.from({ length: count }, () => this.value(depth - 1))
    if (kind === 5) return `[${items.join(',')}]`
    if (kind === 6) return `[${Array.from({ length: count }, () => items[0]).join(', ')}]`
    return `{${items.map((item) => `"${random.pick(ODD_KEYS)}":${item}`).join(',')}}`
  }

  #extras(): Text {
    const { random } = this
    const count = random.chance(0.5) ? 0 : random.between(1, 3)
    return Array.from({ length: count }, () => `,"${random.pick(ODD_KEYS)}":${this.value(3)}`).join('')
  }

  #price(): Text {
    const { random } = this
    if (random.chance(0.15)) return random.pick([...ODD_NUMBERS, ...ODD_STRINGS, 'null'])
    return `"0.${String(random.between(1, 9_999)).padStart(4, '0')}"`
  }

  #size(): Text {
    const { random } = this
    if (random.chance(0.1)) return random.pick([...ODD_NUMBERS, ...ODD_STRINGS, 'null'])
    return `"${random.between(-50, 500)}.${random.pick(['00', '25', '5'])}"`
  }

  #list(entry: () => Text): Text {
    const { random } = this
    const entries = Array.from({ length: random.below(4) }, entry)
    if (random.chance(0.1)) entries.push(this.value(2))
    return `[${entries.join(random.chance(0.2) ? ' , ' : ',')}]`
  }

  #kalshi(index: number): Text {
    const { random } = this
    const type = random.pick(['orderbook_snapshot', 'orderbook_delta', 'orderbook_delta', 'trade', 'market_lifecycle'])
    const ts = `,"ts_ms":${NOON + index}`
    const head = `"market_ticker":"${TICKER}"`
    const level = () => `[${this.#price()},${this.#size()}]`
    const body =
      type === 'orderbook_snapshot'
        ? `${head},"yes_dollars_fp":${this.#list(level)},"no_dollars_fp":${this.#list(level)}`
        : `${head},"price_dollars":${this.#price()},"delta_fp":${this.#size()},"side":"${random.pick(['yes', 'no'])}"`
    return `{"type":"${type}","sid":1,"seq":${index},"msg":{${body}${ts}${this.#extras()}}}`
  }

  #polymarket(index: number): Text {
    const { random } = this
    const type = random.pick(['book', 'price_change', 'price_change', 'last_trade_price', 'new_market'])
    const head = `"market":"${CONDITION}","event_type":"${type}","timestamp":"${NOON + index}"`
    const level = () => `{"price":${this.#price()},"size":${this.#size()}}`
    const change = () =>
      `{"asset_id":"A","price":${this.#price()},"size":${this.#size()},"side":"${random.pick(['BUY', 'SELL'])}"${random.chance(0.1) ? this.#extras() : ''}}`
    const body =
      type === 'book'
        ? `,"asset_id":"A","bids":${this.#list(level)},"asks":${this.#list(level)}`
        : type === 'price_change'
          ? `,"price_changes":[${[change(), ...(random.chance(0.3) ? [change()] : [])].join(',')}]`
          : `,"asset_id":"A","price":${this.#price()}`
    return `{${head}${body}${this.#extras()}}`
  }

  // Adds white space between tokens: after the first brace and before the last one.
  #spaced(text: Text): Text {
    return text.replace(/^\{/, '{ ').replace(/\}$/, '\t}')
  }
}
