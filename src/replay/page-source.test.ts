// Tests requests for pages of records: a few at a time, and retried while the workers are busy.

import { expect, test } from 'bun:test'
import { DataError } from '../../storage/failures.ts'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import type { ReplayPageRequest } from '../../workers/replay/replay-page.ts'
import type { Workers } from '../../workers/requests.ts'
import { PageSource } from './page-source.ts'

const request = (market: string) => ({ market }) as ReplayPageRequest
const turn = () => new Promise((resolve) => setImmediate(resolve))

function made(answer: (market: string, times: number) => Promise<unknown>) {
  const requests: string[] = []
  const timers = new ImpatientTimers()
  const ask = (_: unknown, { market }: ReplayPageRequest) => {
    requests.push(market)
    return answer(market, requests.length)
  }
  const source = new PageSource({ ask } as Pick<Workers, 'ask'>, Object.assign(timers, { nowMs: () => 0 }) as never)
  return { source, requests, timers }
}
const page = (...bytes: number[]) => ({ books: ['a'], next: null, data: { bytes: new Uint8Array(bytes) } })

test('a page is its head and its bytes, in one piece', async () => {
  async function* chunks() {
    yield new Uint8Array([1])
    yield new Uint8Array([2, 3])
  }
  const { source } = made(async (market) =>
    market === 'A' ? page(7) : { books: [], next: null, data: { chunks: chunks() } },
  )
  expect(await source.ask(request('A'))).toEqual({
    head: { books: ['a'], next: null } as never,
    bytes: new Uint8Array([7]),
  })
  expect((await source.ask(request('B'))).bytes).toEqual(new Uint8Array([1, 2, 3]))
})

test('four pages are requested at once, and the next when one of them arrives', async () => {
  const ends = new Map<string, () => void>()
  const { source, requests } = made((market) => new Promise((resolve) => ends.set(market, () => resolve(page()))))
  const pages = ['A', 'B', 'C', 'D', 'E', 'F'].map((market) => source.ask(request(market)))
  await turn()
  expect(requests.join('')).toBe('ABCD')
  ends.get('B')!()
  await pages[1]
  await turn()
  expect(requests.join('')).toBe('ABCDE')
  for (const market of 'ACDE') ends.get(market)!()
  await Promise.all(pages.slice(0, 5))
  await turn()
  ends.get('F')!()
  await pages[5]
  expect(requests.join('')).toBe('ABCDEF')
})

test.each(['overloaded', 'work_lost', 'store_unavailable', 'blocks_unavailable'] as const)(
  'a page is requested again after %s',
  async (code) => {
    const { source, requests, timers } = made(async (_, times) => {
      if (times < 3) throw new DataError(code, 'busy')
      return page(5)
    })
    expect((await source.ask(request('A'))).bytes).toEqual(new Uint8Array([5]))
    expect([requests.length, timers.waited]).toEqual([3, [100, 100]])
  },
)

test('damage is reported at once, and a closed source does not retry', async () => {
  const damaged = made(() => Promise.reject(new DataError('block_corrupt', 'damaged')))
  await expect(damaged.source.ask(request('A'))).rejects.toMatchObject({ code: 'block_corrupt' })
  expect(damaged.requests.length).toBe(1)
  const closed = made(() => Promise.reject(new DataError('overloaded', 'busy')))
  closed.source.close()
  await expect(closed.source.ask(request('A'))).rejects.toMatchObject({ code: 'overloaded' })
  expect(closed.requests.length).toBe(1)
})
