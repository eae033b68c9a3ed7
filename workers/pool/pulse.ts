// The pulse of a pool's threads, in memory that they share with the server. A thread that has a task in hand begins
// others or comes back to its event loop all the time: one whose pulse stands still is stuck.

/** Of each thread: its id or 0, how often it began a task or came round, and how many tasks it has in hand. */
const [ID, BEATS, IN_HAND, FIELDS] = [0, 1, 2, 3] as const
const BEAT_EVERY_MS = 1_000

/** With room for threads that have ended and were not noticed yet. */
export const pulseMemory = (threads: number): SharedArrayBuffer =>
  new SharedArrayBuffer(FIELDS * 2 * (threads + 1) * Int32Array.BYTES_PER_ELEMENT)

/** A thread's own end. */
export class Pulse {
  readonly #memory: Int32Array
  readonly #slot: number

  constructor(memory: SharedArrayBuffer, threadId: number) {
    this.#memory = new Int32Array(memory)
    this.#slot = this.#takeSlot(threadId)
    setInterval(() => this.#add(BEATS, 1), BEAT_EVERY_MS).unref()
  }

  /** Around each task. That it begins is a beat: a thread that is given one short task after another takes them without
   *  coming back to its event loop. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.#add(BEATS, 1)
    this.#add(IN_HAND, 1)
    try {
      return await task()
    } finally {
      this.#add(IN_HAND, -1)
    }
  }

  /** Beyond the memory where no slot is free: such a thread is not watched. */
  #takeSlot(threadId: number): number {
    for (let slot = 0; slot < this.#memory.length; slot += FIELDS) {
      if (Atomics.compareExchange(this.#memory, slot + ID, 0, threadId) === 0) return slot
    }
    return this.#memory.length
  }

  #add(field: number, amount: number): void {
    if (this.#slot < this.#memory.length) Atomics.add(this.#memory, this.#slot + field, amount)
  }
}

/** The server's end. It counts looks and not time, since a process may be stopped and go on hours later. */
export class PulseWatch {
  readonly #memory: Int32Array
  readonly #looksMax: number
  readonly #seen = new Map<number, { beats: number; looks: number }>()

  constructor(memory: SharedArrayBuffer, looksMax: number) {
    this.#memory = new Int32Array(memory)
    this.#looksMax = looksMax
  }

  /** The ids of threads that have had tasks in hand and not come round in so many looks. */
  look(): number[] {
    const stuck: number[] = []
    for (let slot = 0; slot < this.#memory.length; slot += FIELDS) {
      const [id, beats] = [this.#read(slot + ID), this.#read(slot + BEATS)]
      const before = this.#seen.get(id)
      const isStill = id !== 0 && this.#read(slot + IN_HAND) > 0 && before?.beats === beats
      const looks = isStill ? before.looks + 1 : 0
      this.#seen.set(id, { beats, looks })
      if (looks >= this.#looksMax) stuck.push(id)
    }
    return stuck
  }

  /** A thread has ended: its slot is free. */
  forget(id: number): void {
    this.#seen.delete(id)
    for (let slot = 0; slot < this.#memory.length; slot += FIELDS) {
      if (this.#read(slot + ID) !== id) continue
      Atomics.store(this.#memory, slot + BEATS, 0)
      Atomics.store(this.#memory, slot + IN_HAND, 0)
      Atomics.store(this.#memory, slot + ID, 0)
    }
  }

  #read(index: number): number {
    return Atomics.load(this.#memory, index)
  }
}
