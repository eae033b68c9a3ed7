// Tests the chunks of a raw page: they hold the same JSON at any pace of the client.

import { expect, test } from 'bun:test'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { packAtOnce } from '../pool/packed-chunks.ts'
import { answerPage } from '../read/answer-page.ts'

/** Enough records for more than two blocks. */
const RECORDS = 40_000

test('a client that turns out to be slow gets the same bytes, in smaller chunks', async () => {
  await withStore(async (store) => {
    const deltas = Array.from({ length: RECORDS }, (_, ms) => kalshiDelta(ms, `0.${10 + (ms % 80)}00`, `${ms % 7}.00`))
    const lines = [kalshiSnapshot([]), ...deltas].map((line) => JSON.stringify(line))
    await store.loadLines('c.ndjson', lines)
    const scope = { date: DAY, offset: 0 }
    const request = { venue: 'kalshi', market: TICKER, book: null, limit: 100_000, scope } as const
    const read = async (slowAt: number): Promise<Uint8Array[]> => {
      const { chunks } = await answerPage(store.store, request)
      const all: Uint8Array[] = []
      for (let next = chunks.next(); !next.done; next = chunks.next()) {
        all.push(next.value)
        if (all.length === slowAt) chunks.packParts(packAtOnce)
      }
      expect(chunks.next().done).toBe(true)
      return all
    }
    const whole = await read(Number.POSITIVE_INFINITY)
    const text = Buffer.concat(whole).toString()
    expect(JSON.parse(text)).toHaveLength(RECORDS + 1)
    for (const slowAt of [1, 2, Math.floor(whole.length / 2), whole.length - 1, whole.length]) {
      const slow = await read(slowAt)
      expect(Buffer.concat(slow).toString() === text).toBe(true)
      expect(Math.max(0, ...slow.slice(slowAt).map(({ length }) => length))).toBeLessThanOrEqual(64 * 1_024)
      for (const chunk of slow.slice(slowAt, -1)) expect(chunk.buffer.byteLength).toBe(chunk.length)
    }
  })
})
