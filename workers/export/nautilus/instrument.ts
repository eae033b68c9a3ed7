// Describes a market's book to Nautilus: a BinaryOption, with the columns that nautilus_trader 0.61 writes. Its Rust
// code of July 2026 lacks six of them: notional limits, price limits and margins.

import type { KnownMarket } from '../../../storage/finding/finding.ts'
import type { JsonObject } from '../../../storage/finding/metadata.ts'
import { parseInstant } from '../../../storage/format/columns/instant-text.ts'
import type { Venue } from '../../../storage/venue.ts'
import { afterLength } from '../../parquet/plain-columns.ts'
import { type PlainColumn, PlainParquet } from '../../parquet/plain-parquet.ts'
import { timeMsOf } from '../../venues/metadata-values.ts'
import { MEANINGS } from '../../venues.ts'
import { precisionOf, SIZE_PRECISION } from './catalog-names.ts'
import { type CatalogColumns, elementsOf, fileMetadata } from './catalog-schema.ts'

/** Any width will do, because an instrument has no columns of prices and sizes. */
const FIXED_BYTES = 16

const COLUMNS = {
  ...{ id: 'text', raw_symbol: 'text', asset_class: 'text', currency: 'text' },
  ...{ price_precision: 'u8', size_precision: 'u8', price_increment: 'text', size_increment: 'text' },
  ...{ activation_ns: 'u64', expiration_ns: 'u64', outcome: 'text?', description: 'text?' },
  ...{ max_quantity: 'text?', min_quantity: 'text?', max_notional: 'text?', min_notional: 'text?' },
  ...{ max_price: 'text?', min_price: 'text?', margin_init: 'text', margin_maint: 'text' },
  ...{ maker_fee: 'text', taker_fee: 'text', tick_scheme: 'text?', info: 'binary?' },
  ...{ ts_event: 'u64', ts_init: 'u64' },
} as const satisfies CatalogColumns

type ValueOf<K> = K extends 'u8'
  ? number
  : K extends 'u64'
    ? bigint
    : K extends 'text'
      ? string
      : K extends 'text?'
        ? string | null
        : Uint8Array | null
export type Instrument = { [Name in keyof typeof COLUMNS]: ValueOf<(typeof COLUMNS)[Name]> }

export type InstrumentSource = {
  venue: Venue
  market: string
  book: string
  known: KnownMarket | undefined
  pricePrecision: number
  lastDate: string
}

/** Returns the instrument. Values that the metadata does not state are 0 if required, else null. */
export function instrumentOf(source: InstrumentSource): Instrument {
  const { venue, market, book, known, pricePrecision } = source
  const metadata = known?.said ?? {}
  const { instrument, metadata: meaning } = MEANINGS[venue]
  const { opensMs, closesMs } = meaning.facts(metadata)
  return {
    id: instrument.id(market, book),
    raw_symbol: book,
    asset_class: 'Alternative',
    currency: instrument.currencyOn(source.lastDate),
    price_precision: pricePrecision,
    size_precision: SIZE_PRECISION,
    price_increment: (10 ** -pricePrecision).toFixed(pricePrecision),
    size_increment: (10 ** -SIZE_PRECISION).toFixed(SIZE_PRECISION),
    activation_ns: nanosecondsOf(metadata[instrument.opens], opensMs),
    expiration_ns: nanosecondsOf(metadata[instrument.closes], closesMs),
    outcome: instrument.outcomeOf(book, known?.card.outcomes ?? []),
    description: known?.card.title ?? null,
    ...{ max_quantity: null, min_quantity: null, max_notional: null, min_notional: null },
    ...{ max_price: null, min_price: null, margin_init: '0', margin_maint: '0' },
    maker_fee: '0',
    taker_fee: takerFee(metadata),
    tick_scheme: null,
    info: new TextEncoder().encode(JSON.stringify(infoOf(source, metadata))),
    ts_event: 0n,
    ts_init: 0n,
  }
}

/** Returns the number of digits after the decimal point of a market's tick size, or of the smallest tick size in its
 *  price ranges; undefined if unknown. */
export function tickPrecision(venue: Venue, known: KnownMarket | undefined): number | undefined {
  if (known === undefined) return undefined
  const { tickSize, priceRanges } = MEANINGS[venue].metadata.facts(known.said)
  const steps = [tickSize, ...(priceRanges ?? []).map(({ step }) => step)].filter((step) => step !== null)
  const digits = steps.map((step) => precisionOf(Math.round(step * 1e6)))
  return digits.length === 0 ? undefined : Math.max(...digits)
}

function nanosecondsOf(metadata: unknown, ms: number | null): bigint {
  if (ms === null) return 0n
  const bytes = new TextEncoder().encode(typeof metadata === 'string' ? metadata : '')
  const us = parseInstant(bytes, 0, bytes.length)
  return BigInt(Number.isNaN(us) ? (timeMsOf(metadata) ?? ms) * 1_000 : us) * 1_000n
}

function takerFee({ feeSchedule }: JsonObject): string {
  const rate = (feeSchedule as { rate?: unknown } | null | undefined)?.rate
  return typeof rate === 'number' && rate >= 0 ? String(rate) : '0'
}

function infoOf({ venue, market, book, known }: InstrumentSource, metadata: JsonObject): JsonObject {
  const info = MEANINGS[venue].instrument.info({ market, book, event: known?.event?.id }, metadata)
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined && value !== null))
}

/** Returns the bytes of a file with one row. */
export function instrumentFile(instrument: Instrument): Uint8Array {
  const metadata = new Map([
    ['class', 'BinaryOption'],
    ['instrument_id', instrument.id],
  ])
  const pieces: Uint8Array[] = []
  const file = new PlainParquet({ elements: elementsOf(COLUMNS, FIXED_BYTES), write: (bytes) => pieces.push(bytes) })
  file.writeGroup(
    1,
    Object.keys(COLUMNS).map((name) => columnOf(instrument[name as keyof Instrument])),
  )
  file.end(fileMetadata(COLUMNS, FIXED_BYTES, metadata))
  return Buffer.concat(pieces)
}

/** Returns a column of one value. */
function columnOf(value: string | number | bigint | Uint8Array | null): PlainColumn {
  if (value === null) return { bytes: new Uint8Array(0), present: Uint8Array.of(0) }
  if (typeof value === 'number') return { bytes: new Uint8Array(Int32Array.of(value).buffer) }
  if (typeof value === 'bigint') return { bytes: new Uint8Array(BigUint64Array.of(value).buffer) }
  return { bytes: afterLength(value) }
}
