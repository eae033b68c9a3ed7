// The network between processes and the two stores: every call is delayed, and its request and its answer arrive at
// random times, or never. A call without an answer in time fails with `store_unavailable`; its request may still
// arrive.

import { DataError } from '../../storage/failures.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { FaultPlan } from './fault-plan.ts'
import { type Process, START_MS, type World } from './world.ts'

export type Side = 'objects' | 'database'
type Fate = ('answered' | 'refused' | 'request lost' | 'reply lost') | ('crash before' | 'crash after' | 'suspended')

const TIMEOUT_MS = 10_000
/** For this long, a node that cannot reach the database answers from its cache. */
const AWAY_MS = 1_000
const LATE_MS_MAX = 90_000
const SLOW_MS_MAX = 300
const SUSPENDED_SHORT_MS_MAX = 30_000

export class Network {
  faultPlan: FaultPlan
  /** Called after each request that a store has processed. */
  onTaken: () => void = () => undefined
  readonly #world: World
  readonly #random: Random
  readonly #failures = new Map<Process, number>()
  readonly #failedMs = new Map<Process, number>()

  constructor(world: World, faultPlan: FaultPlan) {
    this.#world = world
    this.faultPlan = faultPlan
    this.#random = world.random('network')
  }

  /** Returns the number of failed calls of a process. */
  failuresOf(process: Process): number {
    return this.#failures.get(process) ?? 0
  }

  /** Returns whether a call of a process has failed since `ms`, or shortly before. */
  hasFailedSince(process: Process, ms: number): boolean {
    return (this.#failedMs.get(process) ?? Number.NEGATIVE_INFINITY) >= ms - AWAY_MS
  }

  /** Makes a call. `take` is what the store does, in one step. */
  call<T>(by: Process, side: Side, what: string, take: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (!by.isAlive) return promise
    const world = this.#world
    const fate = this.#fate(side)
    let isOver = false
    world.count(fate === 'answered' ? 'calls' : `calls: ${fate}`)
    const finish = (delayMs: number, how: string, answer: () => void) =>
      world.timer(by, delayMs, () => {
        if (isOver) return
        isOver = true
        world.note(`${by.name} ${side}.${what} ${how}`)
        answer()
      })
    const fail = (delayMs: number, how: string) =>
      finish(delayMs, how, () => {
        this.#failures.set(by, this.failuresOf(by) + 1)
        this.#failedMs.set(by, world.nowMs)
        reject(new DataError('store_unavailable', `The ${side} of the cluster do not answer: ${how}`))
      })
    const arrive = async (isAgain: boolean) => {
      if (this.#isOut(side)) return void (isAgain || fail(0, 'is out'))
      world.note(`${by.name} ${side}.${what} arrives${isAgain ? ' again' : ''}`)
      const taken = take().then(
        (answer) => (delayMs: number) => finish(delayMs, 'answered', () => resolve(answer)),
        (error) => (delayMs: number) => finish(delayMs, `rejected: ${error}`, () => reject(error)),
      )
      const answer = await taken
      this.#check()
      if (isAgain) return world.count('requests that arrived twice')
      if (fate === 'crash after') return by.end()
      if (fate !== 'reply lost') answer(this.#delayMs())
    }

    fail(TIMEOUT_MS, 'timed out')
    if (fate === 'suspended') {
      by.resumesMs = world.nowMs + this.#suspendedMs(by)
      world.note(`${by.name} is suspended until ${by.resumesMs - START_MS}`)
      // The process sends the request when it resumes.
      world.timer(by, 0, () => world.after(this.#delayMs(), () => void arrive(false)))
    } else if (fate === 'refused') fail(this.#delayMs(), 'refused')
    else if (fate !== 'request lost') {
      world.after(this.#delayMs(), () => void arrive(false))
      const isTwice = this.#random.chance(this.faultPlan.duplicates)
      if (isTwice) world.after(this.#lateMs(), () => void arrive(true))
    }
    if (fate === 'crash before') world.after(0, () => by.end())
    return promise
  }

  #check(): void {
    try {
      this.onTaken()
    } catch (error) {
      this.#world.fail(error)
    }
  }

  #fate(side: Side): Fate {
    const { lostRequests, lostReplies, refusals, crashes, suspended } = this.faultPlan
    const fates: [Fate, number][] = [
      ['request lost', lostRequests],
      ['reply lost', lostReplies],
      ['refused', this.#isOut(side) ? 1 : refusals],
      ['suspended', suspended],
      ['crash before', crashes / 2],
      ['crash after', crashes / 2],
    ]
    let drawn = this.#random.fraction()
    for (const [fate, share] of fates) {
      if (drawn < share) return fate
      drawn -= share
    }
    return 'answered'
  }

  #isOut(side: Side): boolean {
    const ms = this.#world.nowMs - START_MS
    return this.faultPlan.outages.some(({ of, fromMs, toMs }) => of === side && ms >= fromMs && ms < toMs)
  }

  #delayMs(): number {
    return this.#random.chance(this.faultPlan.slowCalls) ? this.#slowMs() : this.#random.burst(5)
  }

  /** Returns the length of a suspension, ms. About half are so short that no other process notices. */
  #suspendedMs(by: Process): number {
    const isShort = this.#random.chance(0.5)
    const suspendedMs = this.#random.below(
      isShort ? Math.min(SUSPENDED_SHORT_MS_MAX, by.suspendableMs) : by.suspendableMs,
    )
    by.suspendableMs -= suspendedMs
    return suspendedMs
  }

  /** Returns a delay that is sometimes longer than the caller waits. */
  #slowMs(): number {
    return this.#random.chance(0.8) ? this.#random.below(SLOW_MS_MAX) : this.#lateMs()
  }

  #lateMs(): number {
    return this.#random.fraction() ** 3 * LATE_MS_MAX
  }
}
