// Holes in the numbers of Kalshi's subscriptions, over all markets of a capture. A capture that holds one market of a
// connection is full of holes, which say nothing: only a subscription counts whose numbers hardly ever jump.

/** Of 100 steps of a sound subscription, 99 are by one. */
const STEPS_PER_JUMP_MIN = 100
/** A subscription with more is not sound. It bounds memory. */
const JUMPS_MAX = 4_096

type Numbers = { seq: number; steps: number; jumps: number; messages: number[]; timesMs: number[] }

const NOTHING: Readonly<Numbers> = { seq: 0, steps: 0, jumps: 0, messages: [], timesMs: [] }

export class SequenceHoles {
  readonly #bySid = new Map<number, Numbers>()

  /** `message` is the number of the message in its capture, `timeMs` when it was received, NaN if that is unknown. */
  note(sid: number, seq: number, message: number, timeMs: number): void {
    const numbers = this.#bySid.get(sid)
    if (numbers === undefined) {
      this.#bySid.set(sid, { seq, steps: 0, jumps: 0, messages: [], timesMs: [] })
      return
    }
    const step = seq - numbers.seq
    numbers.seq = seq
    numbers.steps++
    if (step === 1) return
    if (++numbers.jumps > JUMPS_MAX) {
      numbers.messages = []
      numbers.timesMs = []
    } else if (step > 1) {
      numbers.messages.push(message)
      numbers.timesMs.push(timeMs)
    }
  }

  /** How many holes of the subscription stand before or at a message. */
  countUpTo(sid: number, message: number): number {
    const { messages } = this.#numbersOf(sid)
    let count = messages.length
    while (count > 0 && messages[count - 1]! > message) count--
    return count
  }

  /** The number of the message behind a hole, which counts from 1; undefined if there is no such hole so far. */
  messageOf(sid: number, hole: number): number | undefined {
    return this.#numbersOf(sid).messages[hole - 1]
  }

  /** When the message behind a hole was received, NaN if that is unknown. */
  timeMs(sid: number, hole: number): number {
    return this.#numbersOf(sid).timesMs[hole - 1] ?? Number.NaN
  }

  /** Whether a hole of the subscription says that something was lost; known at the end of the capture. */
  isSound(sid: number): boolean {
    const { steps, jumps } = this.#numbersOf(sid)
    return jumps <= JUMPS_MAX && jumps * STEPS_PER_JUMP_MIN <= steps
  }

  #numbersOf = (sid: number): Readonly<Numbers> => this.#bySid.get(sid) ?? NOTHING
}
