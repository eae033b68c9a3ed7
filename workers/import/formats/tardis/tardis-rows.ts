// Reads rows of Tardis' CSV files of Polymarket (docs.tardis.dev/downloadable-csv-files): times are whole microseconds,
// prices and amounts decimals. The symbol is a token, whose market the file does not state.

import { collectGarbage, LOADING } from '../../../collect-garbage.ts'
import type { RowReader } from '../../../load/capture-reading.ts'
import type { ArchiveOptions } from '../../archive.ts'
import { ArchiveFault } from '../../archive-fault.ts'
import type { ByteFile } from '../../byte-file.ts'
import { textLines } from '../../text/text-lines.ts'

export type TardisRow = {
  row: number
  market: string
  token: string
  /** Times as the file prints them, µs. */
  venueUs: string
  receivedUs: string
  /** Values from the fifth column on. */
  values: string[]
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/** Times from 2001 to 2286. */
const MICROSECONDS = /^\d{16}$/
export const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const EXCHANGE = 'polymarket'
const TOKEN = /^\d{1,80}$/
const SHOWN_MAX = 200

export class TardisRows {
  rows = 0
  readonly #file: ByteFile
  readonly #options: ArchiveOptions
  readonly #columns: string
  /** Markets by token; null for a market that is not chosen. */
  readonly #markets = new Map<string, string | null>()

  constructor(file: ByteFile, options: ArchiveOptions, columns: string) {
    this.#file = file
    this.#options = options
    this.#columns = columns
  }

  /** Calls `take` with each row of a chosen market, and rejects invalid rows. Throws ArchiveFault. */
  async read(lines: RowReader, take: (row: TardisRow) => void, onProgress: (fileBytes: number) => void): Promise<void> {
    let isHead = true
    for await (const batch of textLines(this.#file)) {
      for (let i = 0; i < batch.length; i++) {
        const text = decoder.decode(batch.line(i))
        if (isHead) {
          this.#checkHead(text)
          isHead = false
          continue
        }
        const [exchange = '', token = '', venueUs = '', receivedUs = '', ...values] = text.split(',')
        let market = this.#markets.get(token)
        if (market === undefined) market = await this.#marketOf(exchange, token)
        if (market === null) continue
        this.rows++
        const isRow = exchange === EXCHANGE && MICROSECONDS.test(venueUs) && MICROSECONDS.test(receivedUs)
        if (isRow && values.length === COLUMN_COUNT - 4) {
          take({ row: batch.numbers[i]!, market, token, venueUs, receivedUs, values })
        } else lines.reject(batch.numbers[i]!, 'the row does not match its columns', encoder.encode(text))
      }
      onProgress(batch.fileBytes)
      collectGarbage(LOADING)
    }
    if (isHead) throw this.#fault(`is empty: its first line must be ${this.#columns}`)
  }

  // Requires the exact header, as other readers of these files do: they find a value by its position.
  #checkHead(text: string): void {
    if (text === this.#columns) return
    throw this.#fault(`must begin with the line ${this.#columns}, got ${shown(text)}`)
  }

  /** Returns the market of a token; null if that market is not chosen. */
  async #marketOf(exchange: string, token: string): Promise<string | null> {
    if (exchange !== EXCHANGE) {
      throw this.#fault(`has rows of the exchange ${shown(exchange)}: only ${EXCHANGE} is accepted`)
    }
    if (!TOKEN.test(token)) {
      throw this.#fault(`has rows of the symbol ${shown(token)}, which is not a token: tokens are decimal ids`)
    }
    const market = await this.#options.marketOf(token)
    if (market === undefined) {
      throw this.#fault(
        `has rows of the token ${token}, and does not name its market. Load its metadata first (ingest), or ` +
          'name the market with --market if all rows of the file are of one market, which has two tokens at most',
      )
    }
    if (market !== null) this.#options.onMarket(market)
    this.#markets.set(token, market)
    return market
  }

  #fault(why: string): ArchiveFault {
    return new ArchiveFault(this.#file.name, why)
  }
}

const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_MAX))

const COLUMN_COUNT = 8

/** Returns the time as the venue prints it: milliseconds, with a fraction if the file has one. */
export function venueMsText(us: string): string {
  const fraction = us.slice(-3).replace(/0+$/, '')
  return fraction === '' ? us.slice(0, -3) : `${us.slice(0, -3)}.${fraction}`
}
