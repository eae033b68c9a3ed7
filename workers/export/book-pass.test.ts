// A pass restarts after a commit during it, and discards its earlier results. A failed pass leaves nothing. A pass
// begins with the opening book of the day, from the source that the day begins with.

import { describe, expect, test } from 'bun:test'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS } from '../../storage/units.ts'
import { DAY, kalshiDelta, kalshiSnapshot, received, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { type BookExport, passBook } from './book-pass.ts'

const OF = { venue: 'kalshi', market: TICKER, book: TICKER, date: DAY } as const
const LINES = [
  kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
  kalshiDelta(0, '0.2000', '1.50'),
  kalshiDelta(5, '0.2100', '1.00'),
].map((line) => JSON.stringify(line))

/** Records the calls that it receives, as texts. */
class CallLog implements BookExport<string[]> {
  readonly events: string[] = []
  state = 'open'
  readonly #failAt: string

  constructor(failAt = '') {
    this.#failAt = failAt
  }

  #add(event: string): void {
    if (event === this.#failAt) throw new Error('no room')
    this.events.push(event)
  }

  opening = () => this.#add('opening')
  switched = () => this.#add('switched')
  snapshot = () => this.#add('snapshot')
  level = (_at: unknown, _key: number, now: number, before: number) => this.#add(`level ${before}→${now}`)
  changed = () => this.#add('changed')
  gap = (_at: unknown, isSwitch = false) => this.#add(isSwitch ? 'switched away' : 'gap')
  trade = () => this.#add('trade')

  finish(): string[] {
    this.state = 'finished'
    return this.events
  }

  abort(): void {
    this.state = 'aborted'
  }
}

const ALL = ['snapshot', 'level 5000000→6500000', 'changed', 'level 0→1000000', 'changed']

/** Wraps a store so that its market seems to change during the first read. */
function changing(store: Store): Store {
  let reads = 0
  const catalogue = new Proxy(store.catalogue, {
    get(target, name) {
      if (name === 'revision') {
        return async (venue: 'kalshi', market: string) => {
          const now = await target.revision(venue, market)
          return reads++ === 0 ? { ...now, revision: now.revision - 1 } : now
        }
      }
      const value: unknown = target[name as keyof typeof target]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...store, catalogue, blocks: store.blocks, refresh: () => store.refresh() } as Store
}

test('a commit during the pass restarts it', async () => {
  await withStore(async (tested) => {
    await tested.loadLines('lines', LINES)
    const begun: CallLog[] = []
    const begin = () => {
      const callLog = new CallLog()
      begun.push(callLog)
      return callLog
    }
    expect(await passBook(tested.store, OF, begin)).toEqual(ALL)
    expect(await passBook(changing(tested.store), OF, begin)).toEqual(ALL)
    expect(begun.map(({ state }) => state)).toEqual(['finished', 'aborted', 'finished'])
  })
})

test('one that fails is aborted', async () => {
  await withStore(async (tested) => {
    await tested.loadLines('lines', LINES)
    const callLog = new CallLog('level 0→1000000')
    await expect(passBook(tested.store, OF, () => callLog)).rejects.toThrow('no room')
    expect([callLog.events, callLog.state]).toEqual([ALL.slice(0, 3), 'aborted'])
  })
})

test.each([
  ['the book before it, which it continues', false, ['opening', 'level 6500000→7500000', 'changed', 'snapshot']],
  ['its snapshot, where that is first', true, ['snapshot', 'level 0→1000000', 'changed']],
])('a day begins with %s', async (_, isSnapshotFirst, expected) => {
  const change = JSON.stringify(kalshiDelta(DAY_MS, '0.2000', '1.00'))
  const snapshot = JSON.stringify(received(DAY_MS, kalshiSnapshot([['0.2500', '5.00']])))
  await withStore(async (tested) => {
    await tested.loadLines('lines', [...LINES, ...(isSnapshotFirst ? [snapshot, change] : [change, snapshot])])
    expect(await passBook(tested.store, { ...OF, date: '2026-08-11' }, () => new CallLog())).toEqual(expected)
  })
})

describe('a day of another source than the day before', () => {
  const own = JSON.stringify(kalshiDelta(DAY_MS, '0.2200', '1.00'))
  const changed = ['level 0→1000000', 'changed']
  const eventsOf = async (lines: string[]) => {
    let events: string[] = []
    await withStore(async (tested) => {
      await tested.loadLines('archive', LINES, 'alpha')
      await tested.loadLines('own', lines)
      events = await passBook(tested.store, { ...OF, date: '2026-08-11' }, () => new CallLog())
    })
    return events
  }
  test('begins without the book of that source', async () => expect(await eventsOf([own])).toEqual(changed))
  test('begins with the book of its own source', async () => {
    const dayBefore = JSON.stringify(received(3_600_000, kalshiSnapshot([['0.1000', '5.00']])))
    const archive = JSON.stringify(received(-DAY_MS, kalshiSnapshot([['0.1000', '5.00']])))
    expect(await eventsOf([archive, own])).toEqual(['opening', ...changed])
    expect(await eventsOf([dayBefore, own])).toEqual(['opening', ...changed])
  })
})
