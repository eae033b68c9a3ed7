// Rows of Tardis' CSV files (docs.tardis.dev/downloadable-csv-files): times are whole microseconds, prices and amounts
// decimals. A symbol of Polymarket is a token, whose market the file does not say.

import type { RowReader } from '../../../load/read-capture.ts'
import type { ArchiveOptions } from '../../archive.ts'
import { ArchiveFault } from '../../archive-fault.ts'
import type { ByteFile } from '../../byte-file.ts'
import { textLines } from '../../text/text-lines.ts'

const EXCHANGE = 'polymarket'

export type TardisRow = {
  row: number
  market: string
  token: string
  /** As the file prints them. */
  venueUs: string
  receivedUs: string
  /** From the fifth column on. */
  values: string[]
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/** From 2001 to 2286. */
const MICROSECONDS = /^\d{16}$/
export const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const TOKEN = /^\d{1,80}$/
const SHOWN_MAX = 200

export class TardisRows {
  rows = 0
  readonly #file: ByteFile
  readonly #options: ArchiveOptions
  readonly #columns: string
  readonly #markets = new Map<string, string | null>()

  constructor(file: ByteFile, options: ArchiveOptions, columns: string) {
    this.#file = file
    this.#options = options
    this.#columns = columns
  }

  /** Hands on each row of a chosen market. A row that is none is rejected. Throws ArchiveFault. */
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
        const [exchange, token = '', venueUs = '', receivedUs = '', ...values] = text.split(',')
        let market = this.#markets.get(token)
        if (market === undefined) market = await this.#marketOf(exchange!, token)
        if (market === null) continue
        this.rows++
        const isRow = exchange === EXCHANGE && MICROSECONDS.test(venueUs) && MICROSECONDS.test(receivedUs)
        if (isRow && values.length === COLUMN_COUNT - 4) {
          take({ row: batch.numbers[i]!, market, token, venueUs, receivedUs, values })
        } else lines.reject(batch.numbers[i]!, 'the row is not as its columns say', encoder.encode(text))
      }
      onProgress(batch.fileBytes)
    }
    if (isHead) throw new ArchiveFault(this.#file.name, `is empty: its first line must be ${this.#columns}`)
  }

  // To the letter, as other readers of these files do: a column that is elsewhere means something else.
  #checkHead(text: string): void {
    if (text === this.#columns) return
    const shown = JSON.stringify(text.slice(0, SHOWN_MAX))
    throw new ArchiveFault(this.#file.name, `must begin with the line ${this.#columns}, got ${shown}`)
  }

  async #marketOf(exchange: string, token: string): Promise<string | null> {
    if (exchange !== EXCHANGE) {
      const shown = JSON.stringify(exchange.slice(0, SHOWN_MAX))
      throw new ArchiveFault(this.#file.name, `has rows of the exchange ${shown}: ${EXCHANGE} is accepted`)
    }
    if (!TOKEN.test(token)) {
      const shown = JSON.stringify(token.slice(0, SHOWN_MAX))
      throw new ArchiveFault(
        this.#file.name,
        `has rows of the symbol ${shown}, which is no token: tokens are decimal ids`,
      )
    }
    const market = await this.#options.marketOf(token)
    if (market === undefined) {
      throw new ArchiveFault(
        this.#file.name,
        `has rows of the token ${token}, and does not say its market. Load what Gamma says of it first (ingest), or ` +
          'name the market with --market where all of its rows are of one: it has two tokens at most',
      )
    }
    if (market !== null) await this.#options.prepare('polymarket', market)
    this.#markets.set(token, market)
    return market
  }
}

const COLUMN_COUNT = 8

/** As the venue prints it: milliseconds, with a fraction where the file has one. */
export function venueMsText(us: string): string {
  const fraction = us.slice(-3).replace(/0+$/, '')
  return fraction === '' ? us.slice(0, -3) : `${us.slice(0, -3)}.${fraction}`
}

export const msOf = (us: string): number => Number(us.slice(0, -3))
