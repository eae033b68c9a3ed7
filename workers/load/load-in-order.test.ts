// Parts are committed in the order of their captures, whichever reader is first, and none after a failure.

import { describe, expect, test } from 'bun:test'
import { type CaptureReader, loadInOrder } from './load-in-order.ts'

type Step = () => Promise<void>

/** Readers that take each step when the test says so, and a list of events. */
class FakeLoad {
  /** The events in their order. */
  readonly events: string[] = []
  failing = ''
  readonly #offers = new Map<string, (part: string) => Promise<void>>()
  readonly #ends = new Map<string, PromiseWithResolvers<string>>()
  readonly #commits = new Map<string, PromiseWithResolvers<void>>()
  readonly result: Promise<void>

  constructor(captures: string[], readers: number, ahead: number, { slowCommits = false } = {}) {
    const reader: CaptureReader<string, string, string> = {
      read: (capture, offer) => {
        this.events.push(`read ${capture}`)
        this.#offers.set(capture, offer)
        const end = Promise.withResolvers<string>()
        this.#ends.set(capture, end)
        return end.promise
      },
    }
    const commit = async (part: string, index: number) => {
      this.events.push(`commit ${captures[index]}${part}`)
      if (this.failing === part) throw new Error(`cannot commit ${part}`)
      if (!slowCommits) return
      const done = Promise.withResolvers<void>()
      this.#commits.set(`${captures[index]}${part}`, done)
      await done.promise
    }
    const finish = async (end: string, index: number) => void this.events.push(`${end} ${captures[index]}`)
    this.result = loadInOrder(
      captures,
      Array.from({ length: readers }, () => reader),
      ahead,
      { commit, finish },
    )
    this.result.catch(() => {})
  }

  /** Offers a part without waiting for its commit. */
  offer(capture: string, part: string): Promise<void> {
    return settled(() => void this.#offers.get(capture)!(part).catch(() => {}))
  }

  end: (capture: string) => Promise<void> = (capture) => settled(() => this.#ends.get(capture)!.resolve('end'))
  fail = (capture: string) => settled(() => this.#ends.get(capture)!.reject(new Error(`cannot read ${capture}`)))
  committed = (part: string) => settled(() => this.#commits.get(part)!.resolve())

  async all(...steps: Step[]): Promise<string[]> {
    await settled(() => {})
    for (const step of steps) await step()
    return this.events
  }
}

/** Runs an action, and waits until everything that follows from it immediately has happened. */
async function settled(action: () => void): Promise<void> {
  action()
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('loadInOrder', () => {
  test('with one reader, a capture is read when the one before is committed', async () => {
    const load = new FakeLoad(['a', 'b'], 1, 0)
    const events = await load.all(
      () => load.offer('a', '1'),
      () => load.offer('a', '2'),
      () => load.end('a'),
      () => load.offer('b', '1'),
      () => load.end('b'),
    )
    await load.result
    expect(events).toEqual(['read a', 'commit a1', 'commit a2', 'end a', 'read b', 'commit b1', 'end b'])
  })

  test('a capture that is read first waits for those before it', async () => {
    const load = new FakeLoad(['a', 'b', 'c'], 3, 6)
    const events = await load.all(
      () => load.offer('c', '1'),
      () => load.end('c'),
      () => load.offer('b', '1'),
      () => load.offer('b', '2'),
      () => load.offer('a', '1'),
    )
    expect(events).toEqual(['read a', 'read b', 'read c', 'commit a1'])
    await load.all(() => load.end('a'))
    expect(events.slice(4)).toEqual(['end a', 'commit b1', 'commit b2'])
    await load.all(() => load.end('b'))
    await load.result
    expect(events.slice(7)).toEqual(['end b', 'commit c1', 'end c'])
  })

  test('a reader continues with the next capture while its part waits, but not beyond `ahead`', async () => {
    const load = new FakeLoad(['a', 'b', 'c', 'd', 'e'], 2, 2)
    const events = await load.all(
      () => load.offer('b', '1'),
      () => load.end('b'),
      () => load.end('c'),
    )
    expect(events).toEqual(['read a', 'read b', 'read c'])
    await load.all(() => load.end('a'))
    expect(events.slice(3)).toEqual(['end a', 'commit b1', 'read d', 'end b', 'end c', 'read e'])
  })

  test('the next capture waits for a commit that takes long', async () => {
    const load = new FakeLoad(['a', 'b'], 2, 4, { slowCommits: true })
    const events = await load.all(
      () => load.offer('b', '1'),
      () => load.end('b'),
      () => load.offer('a', '1'),
      () => load.end('a'),
    )
    expect(events).toEqual(['read a', 'read b', 'commit a1'])
    await load.all(() => load.committed('a1'))
    expect(events.slice(3)).toEqual(['end a', 'commit b1'])
    await load.all(() => load.committed('b1'))
    await load.result
    expect(events.at(-1)).toBe('end b')
  })

  test('a reader that fails ends the load: what comes after it is not committed', async () => {
    const load = new FakeLoad(['a', 'b', 'c'], 3, 6)
    await load.all(
      () => load.offer('c', '1'),
      () => load.end('c'),
      () => load.offer('a', '1'),
      () => load.end('a'),
      () => load.fail('b'),
    )
    await expect(load.result).rejects.toThrow('cannot read b')
    expect(load.events).toEqual(['read a', 'read b', 'read c', 'commit a1', 'end a'])
  })

  test('a commit that fails ends the load, while its reader still waits for it', async () => {
    const load = new FakeLoad(['a', 'b'], 2, 4)
    load.failing = '2'
    await load.all(
      () => load.offer('b', '1'),
      () => load.offer('a', '1'),
      () => load.offer('a', '2'),
      () => load.offer('a', '3'),
    )
    await expect(load.result).rejects.toThrow('cannot commit 2')
    expect(load.events).toEqual(['read a', 'read b', 'commit a1', 'commit a2'])
  })

  test('it rejects when the commit in hand is done, not before', async () => {
    const load = new FakeLoad(['a', 'b'], 2, 4, { slowCommits: true })
    let isOver = false
    load.result.catch(() => {
      isOver = true
    })
    await load.all(
      () => load.offer('a', '1'),
      () => load.fail('b'),
    )
    expect(isOver).toBe(false)
    await load.all(() => load.committed('a1'))
    expect(isOver).toBe(true)
  })

  test('of no captures there is nothing to do', async () => {
    const load = new FakeLoad([], 2, 4)
    await load.result
    expect(load.events).toEqual([])
  })
})
