// One clock, one queue of events and one source of randomness: the same seed gives the same run, to the byte of its
// trace. Code that runs in the world waits for nothing except the queue.

import { HOUR_MS } from '../../storage/units.ts'
import { Random } from '../../workers/synthetic/random.ts'

export const START_MS = Date.parse('2026-07-22T10:00:00Z')
/** Maximum number of steps: a run that does not end is a failure. */
const STEPS_MAX = 60_000
const SHOWN_STEPS = 60

/** A process of the world, which may end at any moment: a node, a loader, a recorder, upkeep. */
export class Process {
  readonly name: string
  /** Difference between its clock and the world's, ms. May jump. */
  skewMs: number
  readonly #onEnd: () => void
  #isAlive = true

  constructor(name: string, skewMs: number, onEnd: () => void) {
    this.name = name
    this.skewMs = skewMs
    this.#onEnd = onEnd
  }

  /** End of the suspension. Until then, nothing runs in the process, and its messages wait. */
  resumesMs = 0
  /** Whether the process receives notifications of commits. The map below holds, for each market, how many commits
   *  the process knows of from them. */
  isListening = false
  readonly knownCommits = new Map<string, number>()

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** How much longer the process may be suspended in total, ms. */
  suspendableMs = 40 * HOUR_MS

  /** Stops everything in the process. */
  end(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#onEnd()
  }
}

type Step = { atMs: number; order: number; run: () => void }

export class World {
  readonly seed: number
  readonly #queue: Step[] = []
  readonly #random: Random
  readonly #digest = new Bun.CryptoHasher('sha256')
  readonly #shown: string[] = []
  /** How often each event happened, by the name of the event. */
  readonly counts = new Map<string, number>()
  #nowMs = START_MS
  #failed: unknown = null

  constructor(seed: number) {
    this.seed = seed
    this.#random = this.random('order')
  }

  /** Returns a separate random stream for each purpose, so that a change of one stream leaves the others as they
   *  were. */
  random(stream: string): Random {
    return new Random(this.seed, `simulation ${stream}`)
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Returns the digest of the trace so far. */
  digest(): string {
    return this.#digest.copy().digest('hex')
  }

  /** The last lines of the trace. */
  get shown(): readonly string[] {
    return this.#shown
  }

  /** Runs `run` after a delay, unless the process has ended by then. Returns a function that cancels the timer. */
  timer(process: Process, delayMs: number, run: () => void): () => void {
    let isStopped = false
    const ring = () => {
      if (isStopped || !process.isAlive) return
      if (process.resumesMs > this.#nowMs) this.after(process.resumesMs - this.#nowMs, ring)
      else run()
    }
    this.after(delayMs, ring)
    return () => {
      isStopped = true
    }
  }

  note(line: string): void {
    const text = `${this.#nowMs - START_MS} ${line}`
    this.#digest.update(`${text}\n`)
    if (this.#shown.push(text) > SHOWN_STEPS) this.#shown.shift()
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  /** Ends the run. */
  fail(error: unknown): void {
    this.#failed ??= error
  }

  after(delayMs: number, run: () => void): void {
    const step = { atMs: this.#nowMs + Math.max(0, Math.round(delayMs)), order: this.#random.uint32(), run }
    let at = this.#queue.length
    while (at > 0 && isBefore(step, this.#queue[at - 1]!)) at--
    this.#queue.splice(at, 0, step)
  }

  /** Resolves after the delay. Never resolves if the process has ended. */
  sleep(process: Process, delayMs: number): Promise<void> {
    return new Promise((resolve) => this.timer(process, delayMs, resolve))
  }

  /** Runs steps until the queue is empty. Throws the error of a step that fails. */
  async run(): Promise<void> {
    await settled()
    for (let steps = 0; this.#failed === null; steps++) {
      const next = this.#queue.shift()
      if (next === undefined) break
      if (steps === STEPS_MAX) throw new Error(`it does not end within ${STEPS_MAX} steps`)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await settled()
    }
    if (this.#failed !== null) throw this.#failed
  }
}

/** Steps at the same time run in random order. */
const isBefore = (one: Step, other: Step): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

/** Resolves once everything that can continue has done so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
