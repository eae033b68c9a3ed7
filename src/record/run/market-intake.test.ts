// Tests what the recorder does with the markets that discovery wants: it takes those of its share, at once if it
// remembers them, and otherwise after the store has returned their last records.

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

function scene({ share = null as Share | null, remembered = [] as string[], isReplay = false, marketsMax = 9 } = {}) {
  const heard = new Map(remembered.map((book): [string, LastSeen] => [book, { market: null, untilMs: 1 }]))
  const memory = new LastSeenBooks(
    { polymarket: new Map(), kalshi: heard },
    () => {
      throw new Error('nothing is written here')
    },
    () => 0n,
  )
  const taken = new Map<string, number | undefined>()
  const room = { marketsMax }
  const connections = {
    has: (book: string) => taken.has(book),
    want(markets: readonly WantedMarket[]) {
      return markets.filter(({ books }) => {
        if (taken.size >= room.marketsMax) return true
        for (const book of books) taken.set(book, memory.take('kalshi', book)?.untilMs)
        return false
      })
    },
    unwant: (books: readonly string[]) => {
      for (const book of books) taken.delete(book)
    },
  } as unknown as VenueConnections
  const asked: { markets: string[]; answer: (answer: Answer) => Promise<void>; fail: () => Promise<void> }[] = []
  let left: readonly WantedMarket[] = []
  const intake = new MarketIntake({
    ...{ share, memory, isReplay: () => isReplay, connections: new Map([['kalshi', connections]]) },
    loading: {
      lastRecords(markets) {
        const { promise, resolve, reject } = Promise.withResolvers<Answer>()
        asked.push({
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
    offer() {
      left = intake.want(left)
    },
  })
  const want = (...markets: WantedMarket[]) => {
    left = intake.want([...left, ...markets])
    return left.map(({ market: name }) => name)
  }
  return { intake, want, asked, taken, room }
}

test('a market waits for the store, which returns the time of the last record of each book', async () => {
  const { intake, want, asked, taken } = scene()
  expect(want(A, B)).toEqual(['A', 'B'])
  expect([taken.size, intake.isSettled]).toEqual([0, false])
  // Markets that arrive meanwhile are requested next.
  expect(want(C)).toEqual(['A', 'B', 'C'])
  expect(asked.map(({ markets }) => markets)).toEqual([['A', 'B']])
  await asked[0]!.answer([new Map([['A', 7]]), new Map()])
  expect([...taken]).toEqual([
    ['A', 7],
    ['B', undefined],
  ])
  expect(asked.map(({ markets }) => markets)).toEqual([['A', 'B'], ['C']])
  await asked[1]!.answer([new Map()])
  expect([[...taken.keys()], intake.isSettled]).toEqual([['A', 'B', 'C'], true])
  expect(want(A, B, C)).toEqual([])
  expect(asked.length).toBe(2)
})

test('a market that is remembered is taken at once, with what is remembered', () => {
  const { want, asked, taken } = scene({ remembered: ['A'] })
  expect(want(A)).toEqual([])
  expect([[...taken], asked]).toEqual([[['A', 1]], []])
})

test('if a market is remembered in part, the store supplies the rest', async () => {
  const { want, asked, taken } = scene({ remembered: ['A'] })
  want({ ...A, books: ['A', 'A2'] })
  await asked[0]!.answer([
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
  const { intake, want, asked, taken } = scene({ remembered: ['A'] })
  want(A)
  intake.unwant('kalshi', ['A'])
  expect(want(A)).toEqual(['A'])
  await asked[0]!.answer([new Map([['A', 9]])])
  expect([...taken]).toEqual([['A', 9]])
})

test('a market of another share is not taken, and what is remembered of it is forgotten', () => {
  // SHA-256 of "A" begins with 559aead08264d579, which leaves 1 when it is divided by 2.
  const { intake, want, asked, taken } = scene({ share: { number: 1, count: 2 }, remembered: ['A'] })
  expect(want(A)).toEqual([])
  expect([taken.size, asked.length, intake.isSettled]).toEqual([0, 0, true])
})

test('what a limit leaves out is taken later, with the same answer', async () => {
  const { want, asked, taken, room } = scene({ marketsMax: 0 })
  want(A)
  await asked[0]!.answer([new Map([['A', 7]])])
  expect([want(), taken.size]).toEqual([['A'], 0])
  room.marketsMax = 1
  expect(want()).toEqual([])
  expect([[...taken], asked.length]).toEqual([[['A', 7]], 1])
})

test('a replay requests nothing, a stopped recorder takes nothing, and an ended thread delays nothing', async () => {
  const replay = scene({ isReplay: true })
  expect([replay.want(A), replay.asked]).toEqual([[], []])
  const stopped = scene()
  stopped.want(A)
  stopped.intake.stop()
  await stopped.asked[0]!.answer([new Map()])
  expect(stopped.taken.size).toBe(0)
  const failed = scene()
  failed.want(A)
  await failed.asked[0]!.fail()
  expect([...failed.taken]).toEqual([['A', undefined]])
})
