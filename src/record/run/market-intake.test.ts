// Tests how the recorder takes the markets of its share that discovery wants: at once if it remembers them, otherwise
// after the store has returned their last records.

import { expect, test } from 'bun:test'
import type { Share } from '../config/record-settings.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { WantedMarket } from '../connection/venue-protocol.ts'
import { LastSeenBooks } from '../last-seen/last-seen-books.ts'
import { MarketIntake } from './market-intake.ts'
import type { VenueConnections } from './venue-connections.ts'

const market = (name: string): WantedMarket => ({ venue: 'kalshi', market: name, books: [name] })
const [A, B, C] = [market('A'), market('B'), market('C')]

type Answer = ReadonlyMap<string, number>[]

function scene({ share = null as Share | null, remembered = [] as string[], isReplay = false } = {}) {
  const lastSeen = new Map(remembered.map((book): [string, LastSeen] => [book, { market: null, untilMs: 1 }]))
  const memory = new LastSeenBooks(
    { polymarket: new Map(), kalshi: lastSeen },
    () => {
      throw new Error('nothing is written here')
    },
    () => 0n,
  )
  const taken = new Map<string, number | undefined>()
  const connections = {
    has: (book: string) => taken.has(book),
    want(markets: readonly WantedMarket[]) {
      for (const book of markets.flatMap(({ books }) => books)) taken.set(book, memory.take('kalshi', book)?.untilMs)
    },
    unwant: (books: readonly string[]) => {
      for (const book of books) taken.delete(book)
    },
  } as unknown as VenueConnections
  const requests: { markets: string[]; answer: (answer: Answer) => Promise<void>; fail: () => Promise<void> }[] = []
  const intake = new MarketIntake({
    ...{ share, memory, isReplay: () => isReplay, connections: new Map([['kalshi', connections]]) },
    loading: {
      lastRecords(markets) {
        const { promise, resolve, reject } = Promise.withResolvers<Answer>()
        requests.push({
          markets: markets.map(({ market: name }) => name!),
          async answer(answer) {
            resolve(answer)
            await Bun.sleep(0)
          },
          async fail() {
            reject(new Error('the thread has ended'))
            await Bun.sleep(0)
          },
        })
        return promise
      },
    },
  })
  const want = (...markets: WantedMarket[]) => intake.want(markets)
  return { intake, want, requests, taken }
}

test('a market waits for the store, which returns the time of the last record of each book', async () => {
  const { intake, want, requests, taken } = scene()
  want(A, B)
  expect([taken.size, intake.isSettled]).toEqual([0, false])
  // Markets that arrive meanwhile are requested next.
  want(A, C)
  expect(requests.map(({ markets }) => markets)).toEqual([['A', 'B']])
  await requests[0]!.answer([new Map([['A', 7]]), new Map()])
  expect([...taken]).toEqual([
    ['A', 7],
    ['B', undefined],
  ])
  expect(requests.map(({ markets }) => markets)).toEqual([['A', 'B'], ['C']])
  await requests[1]!.answer([new Map()])
  expect([[...taken.keys()], intake.isSettled]).toEqual([['A', 'B', 'C'], true])
  want(A, B, C)
  expect(requests.length).toBe(2)
})

test('a remembered market is taken at once, with its remembered state', () => {
  const { want, requests, taken } = scene({ remembered: ['A'] })
  want(A)
  expect([[...taken], requests]).toEqual([[['A', 1]], []])
})

test('if a market is remembered in part, the store supplies the rest', async () => {
  const { want, requests, taken } = scene({ remembered: ['A'] })
  want({ ...A, books: ['A', 'A2'] })
  await requests[0]!.answer([
    new Map([
      ['A', 7],
      ['A2', 8],
    ]),
  ])
  expect([...taken]).toEqual([
    ['A', 1],
    ['A2', 8],
  ])
})

test('a market that was dropped is requested again: the remembered times are older', async () => {
  const { intake, want, requests, taken } = scene({ remembered: ['A'] })
  want(A)
  intake.unwant('kalshi', ['A'])
  want(A)
  await requests[0]!.answer([new Map([['A', 9]])])
  expect([...taken]).toEqual([['A', 9]])
})

test('a market of another share is not taken, and its remembered state is dropped', () => {
  // SHA-256 of "A" begins with 559aead08264d579, which leaves 1 when it is divided by 2.
  const { intake, want, requests, taken } = scene({ share: { number: 1, count: 2 }, remembered: ['A'] })
  want(A)
  expect([taken.size, requests.length, intake.isSettled]).toEqual([0, 0, true])
})

test('a market that is dropped while it waits for the store is not taken', async () => {
  const { intake, want, requests, taken } = scene()
  want(A, B)
  intake.unwant('kalshi', ['A'])
  await requests[0]!.answer([new Map([['A', 7]]), new Map()])
  expect([...taken.keys()]).toEqual(['B'])
})

test('a replay requests nothing, a stopped recorder takes nothing, and an ended thread delays nothing', async () => {
  const replay = scene({ isReplay: true })
  replay.want(A)
  expect([[...replay.taken.keys()], replay.requests]).toEqual([['A'], []])
  const stopped = scene()
  stopped.want(A)
  stopped.intake.stop()
  await stopped.requests[0]!.answer([new Map()])
  expect(stopped.taken.size).toBe(0)
  const failed = scene()
  failed.want(A)
  await failed.requests[0]!.fail()
  expect([...failed.taken]).toEqual([['A', undefined]])
})
