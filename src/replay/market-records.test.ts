// Tests a cursor over the records of a market: it returns each once, in order, and loads one page ahead.

import { expect, test } from 'bun:test'
import { RECORD_KINDS } from '../../storage/format/shape.ts'
import { FrameWriter, WHOLE } from '../../workers/replay/record-frames.ts'
import type { ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { Position } from '../../workers/requests.ts'
import { MarketRecords } from './market-records.ts'
import type { RequestedPage } from './page-source.ts'

const DATE = '2026-08-10'
const START = Date.parse(DATE)
const position = (record: number): Position => ({ date: DATE, record, revision: 3 })

/** Returns a page. `frames` has the number of records in each frame; `from` is the number of the first record. */
function page(from: number, frames: number[], next: number | null): RequestedPage {
  const writer = new FrameWriter()
  let record = from
  for (const count of frames) {
    writer.begin({ date: DATE, revision: 3 })
    for (let n = 0; n < count; n++, record++) {
      writer.text.write(Buffer.from(`text ${record}`))
      writer.add(
        START + record,
        record === 0 ? -1 : START + record + 5,
        record,
        record % 2,
        record === 1 ? 2 | WHOLE : 1,
      )
    }
  }
  const bytes = new Uint8Array(Buffer.concat(writer.finish()))
  return { head: { next: next === null ? null : position(next), books: ['a'] }, bytes }
}

function made(pages: (RequestedPage | Error)[], beginning = { afterMs: START - 1, position: null as Position | null }) {
  const requests: ReplayPageRequest[] = []
  const events: string[] = []
  let noted = Promise.withResolvers<void>()
  const next = async () => {
    await noted.promise
    noted = Promise.withResolvers<void>()
  }
  const note = (text: string) => {
    events.push(text)
    noted.resolve()
  }
  const ask = async (request: ReplayPageRequest) => {
    requests.push(request)
    const answer = pages[requests.length - 1]!
    if (answer instanceof Error) throw answer
    return answer
  }
  const options = { venue: 'kalshi', market: 'A', toMs: START + 99, limit: 10, text: 'message' } as const
  const parts = { pages: { ask }, loaded: () => note('loaded'), failed: (error: unknown) => note(String(error)) }
  return { records: new MarketRecords(options, beginning, 1, parts), requests, events, next }
}

test('every record once, in order, over frames and pages', async () => {
  const { records, requests, next } = made([page(0, [2, 3], 5), page(5, [1], 6), page(6, [2], null)])
  const seen: unknown[] = []
  while (records.state !== 'ended') {
    if (records.state === 'loading') await next()
    if (records.state !== 'ready') continue
    seen.push([records.timeMs - START, records.text()])
    records.advance()
  }
  expect(seen).toEqual(Array.from({ length: 8 }, (_, n) => [n, `text ${n}`]))
  expect(requests.map(({ after, fromMs }) => [after, fromMs])).toEqual([
    [null, START],
    [position(5), START],
    [position(6), START],
  ])
})

test('a record has its time, its type and its message', async () => {
  const { records, next } = made([page(0, [2], null)])
  expect([records.state, records.position, records.instant]).toEqual(['loading', null, { ms: START - 1 }])
  await next()
  expect([records.kind, records.isWhole, records.book, records.receivedMs]).toEqual([RECORD_KINDS[1], false, null, -1])
  expect([records.position, records.instant]).toEqual([position(0), { ms: START - 1 }])
  records.advance()
  expect([records.kind, records.isWhole, records.book]).toEqual([RECORD_KINDS[2], true, 'a'])
  expect([records.receivedMs - START, records.instant, records.here]).toEqual([
    ...[6, { date: DATE, record: 0 }, { afterMs: START - 1, position: position(1) }],
  ] as never)
  records.advance()
  expect([records.state, records.instant, records.here]).toEqual([
    ...['ended', { ms: START + 99 }, { afterMs: START + 99, position: null }],
  ] as never)
})

test('the next page is requested when half of this one is read, and not before', async () => {
  const { records, requests, next } = made([page(0, [1, 1, 1, 1], 4), page(4, [1], null)])
  await next()
  expect(requests.length).toBe(1)
  records.advance()
  expect(requests.length).toBe(2)
  records.advance()
  expect(requests.length).toBe(2)
})

test('a start within a date, a failure, and a client that has left', async () => {
  const from = made([new Error('lost')], { afterMs: START + 5, position: position(7) })
  expect([from.records.position, from.requests[0]]).toMatchObject([
    position(7),
    { after: position(7), fromMs: START + 6 },
  ])
  await from.next()
  expect(from.events).toEqual(['Error: lost'])
  const left = made([page(0, [1], null)])
  left.records.leave()
  await new Promise((resolve) => setImmediate(resolve))
  expect([left.events, left.records.state]).toEqual([[], 'loading'])
})
