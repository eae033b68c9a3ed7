// Messages: any JSON in a message is read back deep-equal. Times are read as the model reads them.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { utcDate } from '../../../storage/units.ts'
import { venueTimeUs } from '../../../workers/venues/venue-time.ts'
import { timeNs } from '../../model/exact.ts'
import { NOON, TICKER } from '../../model/lines.ts'
import { withStore } from '../../support/store.ts'
import { property } from '../property.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud83d', '\u0000', '\uFEFFa', '__proto__'),
)
/** Any JSON, with `__proto__`, halves of surrogate pairs and extreme numbers. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
/** Fields that decide how a message is read; they are not changed. */
const UNCHANGED_FIELDS = ['market_ticker', 'ts_ms']
const extras = fc
  .array(fc.tuple(text, json), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries.filter(([key]) => !UNCHANGED_FIELDS.includes(key))))
const message = fc.record({
  extras,
  price: fc.oneof(fc.constant('0.5000'), json),
  side: fc.oneof(fc.constant('yes'), json),
})

/** Returns whether a line is stored as a delta. A line with an unknown side is stored whole, like a line of an
 *  unknown type. */
const isDelta = ({ side }: { side: unknown }) => typeof side !== 'string' || side === 'yes' || side === 'no'

const timeText = fc.oneof(
  fc.nat(2_000_000_000_000).map(String),
  fc.nat(2_000_000_000).map(String),
  fc.tuple(fc.nat(2_000_000_000), fc.stringMatching(/^\d{1,6}$/)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc
    .tuple(
      fc.date({ min: new Date('1971-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }),
      fc.stringMatching(/^(\.\d{1,9})?(Z|z|\+05:30|-0800)?$/),
    )
    .map(([date, rest]) => date.toISOString().slice(0, 19) + rest),
  fc.stringMatching(/^[-+.:TZ 0-9e]{0,24}$/),
  fc.constantFrom(
    '2026-02-30T00:00:00Z',
    '2026-08-10T24:00:00Z',
    '2026-08-10T23:59:60Z',
    '1e12',
    '',
    '\uFEFF1786363200000',
  ),
)

export const messageProperties = [
  property(
    'messages come back deep-equal',
    20,
    [fc.array(message, { minLength: 1, maxLength: 15 })],
    async (messages) => {
      const msgs = messages.map(({ extras: more, price, side }, i) => ({
        ...more,
        market_ticker: TICKER,
        price_dollars: price,
        delta_fp: '1.00',
        side,
        ts_ms: NOON + i,
      }))
      const lines = msgs.map((msg, seq) => JSON.stringify({ type: 'orderbook_delta', sid: 1, seq, msg }))
      await withStore(async (store) => {
        // Loads the second half first, then all lines. The second load reads the stored records and writes them
        // again.
        for (const part of [lines.slice(lines.length >> 1), lines]) {
          const { rejected, error } = await store.loadLines(`c-${part.length}`, part)
          assert.deepEqual([rejected, error], [0, null])
        }
        const records = await store.records('kalshi', TICKER, utcDate(NOON))
        assert.deepEqual(
          records.map(({ msg, seq }) => [msg, seq]),
          JSON.parse(JSON.stringify(msgs.map((msg, seq) => [isDelta(msg) ? msg : JSON.parse(lines[seq]!), seq]))),
        )
      })
    },
  ),
  property('a time is read as the model reads it', 3_000, [timeText], (printed) => {
    const bytes = new TextEncoder().encode(printed)
    const us = venueTimeUs(bytes, 0, bytes.length)
    const ns = timeNs(printed)
    const isSensible = ns !== undefined && ns >= 0n && ns < 4_102_444_800_000_000_000n
    assert.equal(Number.isNaN(us) ? null : us, isSensible ? Number(ns / 1_000n) : Number.isNaN(us) ? null : us)
  }),
]
