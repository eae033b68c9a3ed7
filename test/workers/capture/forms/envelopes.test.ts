// Reads the keys that recorders write around a message, whatever the keys are called.

import { expect, test } from 'bun:test'
import { DAY, NOON, TICKER } from '../../../model/lines.ts'
import { withStore } from '../../../support/store.ts'

const kalshi = (type: string, msg: object) => ({ type, sid: 1, seq: 1, msg: { market_ticker: TICKER, ...msg } })

test('a recorder’s clock is read in every unit and spelling, and the message as JSON or text', () =>
  withStore(async (store) => {
    const clocks = (ms: number) => {
      const iso = new Date(ms).toISOString()
      return [
        ms / 1_000,
        `${ms / 1_000}.0005`,
        ms,
        `${ms}`,
        `${ms}999`,
        `#${ms}999#`,
        `#${ms}999999#`,
        `${ms}999999.5`,
        iso,
      ]
    }
    const keys = ['recv_ts', 'recv_ms', 'received_at', 'recv_us', 'recv_ts_ns', 'ts_recv', 'local_timestamp']
    const bodies = ['event', 'message', 'msg', 'data', 'raw', 'payload', 'frame']
    const lines: string[] = []
    const expected: number[] = []
    for (const [i, key] of keys.entries()) {
      for (let n = 0; n < 9; n++) {
        const ms = NOON + 1_000 * lines.length
        const event = kalshi('orderbook_delta', { price_dollars: '0.4900', delta_fp: '2.00', side: 'yes', ts_ms: ms })
        const body = { [bodies[i]!]: n % 2 === 0 ? event : `${JSON.stringify(event)}\n` }
        const clock = { [key]: clocks(ms)[n]! }
        lines.push(JSON.stringify(n % 3 === 0 ? { ...body, ...clock } : { ...clock, ...body }))
        expected.push(ms)
      }
    }
    const report = await store.loadLines(
      'c.ndjson',
      lines.map((line) => line.replaceAll('"#', '').replaceAll('#"', '')),
    )
    expect(report).toMatchObject({ rejected: 0, error: null })
    const received = (await store.records('kalshi', TICKER, DAY)).map((record) => record.received_at)
    expect(received.map((ms, i) => ms! - expected[i]!)).toEqual(expected.map(() => 0))
  }))

test.each(['receivedAt', 'recvTsMs', 'localTimestamp', 'ts', 'timestamp_ms', 'timeUs'])('a clock named %s', (name) =>
  withStore(async (store) => {
    const event = kalshi('orderbook_snapshot', { yes_dollars_fp: [['0.4000', '5.00']] })
    const lines = [
      { data: event, [name]: NOON },
      { data: event, [name]: 'noon' },
      { recv_ms: NOON + 1, [name]: NOON, data: event },
    ]
    const report = await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    expect(report).toMatchObject({ rejected: 1, error: null })
    expect((await store.records('kalshi', TICKER, DAY)).map((record) => record.received_at)).toEqual([NOON, NOON + 1])
  }),
)
