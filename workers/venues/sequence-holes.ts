// Finds holes in the sequence numbers of a venue's subscriptions, over all markets of a capture. If a capture has only
// one market of a connection, the sequence numbers are full of holes that mean nothing. So only the holes of
// subscriptions whose numbers rarely jump count as lost messages.

/** In a sound subscription, at least 99 of 100 steps between sequence numbers are by one. */
const STEPS_PER_JUMP_MIN = 100
/** Maximum number of jumps of a sound subscription. It limits the memory for jumps. */
const JUMPS_MAX = 4_096

type Numbers = { seq: number; steps: number; jumps: number; messages: number[]; timesMs: number[] }

const NO_NUMBERS: Readonly<Numbers> = { seq: 0, steps: 0, jumps: 0, messages: [], timesMs: [] }

export class SequenceHoles {
  readonly #bySid = new Map<number, Numbers>()

  /** Notes the sequence number of a message. `message` is the message's number in its capture. `timeMs` is its receipt
   *  time, Unix ms; NaN if unknown. */
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

  /** Returns how many holes of the subscription are before or at a message. */
  countUpTo(sid: number, message: number): number {
    const { messages } = this.#numbersOf(sid)
    let count = messages.length
    while (count > 0 && messages[count - 1]! > message) count--
    return count
  }

  /** Returns the number of the message after a hole. Returns undefined if the subscription has no such hole so far.
   *  Holes are numbered from 1. */
  messageOf(sid: number, hole: number): number | undefined {
    return this.#numbersOf(sid).messages[hole - 1]
  }

  /** Returns the receipt time of the message after a hole, Unix ms; NaN if unknown. */
  timeMs(sid: number, hole: number): number {
    return this.#numbersOf(sid).timesMs[hole - 1] ?? Number.NaN
  }

  /** Returns whether holes of the subscription mean lost messages. Final only at the end of the capture. */
  isSound(sid: number): boolean {
    const { steps, jumps } = this.#numbersOf(sid)
    return jumps <= JUMPS_MAX && jumps * STEPS_PER_JUMP_MIN <= steps
  }

  #numbersOf = (sid: number): Readonly<Numbers> => this.#bySid.get(sid) ?? NO_NUMBERS
}
