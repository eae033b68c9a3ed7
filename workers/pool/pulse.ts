// The pulse of a pool's threads, in memory shared with the server. While a thread has tasks, its pulse beats whenever
// it starts another task or its event loop runs a timer. If the pulse stops, the thread is stuck.

/** Fields of a thread: its id, or 0 for a free slot; its number of beats (task starts and timer runs); its number of
 *  tasks in progress. */
const [ID, BEATS, TASKS, FIELDS] = [0, 1, 2, 3] as const
const BEAT_EVERY_MS = 1_000

/** Creates the memory. It has spare slots, because a thread that has ended keeps its slot until the server notices the
 *  end. */
export const pulseMemory = (threads: number): SharedArrayBuffer =>
  new SharedArrayBuffer(FIELDS * 2 * (threads + 1) * Int32Array.BYTES_PER_ELEMENT)

/** The thread's side of the pulse. */
export class Pulse {
  readonly #memory: Int32Array
  readonly #slot: number

  constructor(memory: SharedArrayBuffer, threadId: number) {
    this.#memory = new Int32Array(memory)
    this.#slot = this.#takeSlot(threadId)
    setInterval(() => this.#add(BEATS, 1), BEAT_EVERY_MS).unref()
  }

  /** Runs a task. The start of the task counts as a beat: a thread that gets one short task after another may not
   *  return to its event loop in between. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.#add(BEATS, 1)
    this.#add(TASKS, 1)
    try {
      return await task()
    } finally {
      this.#add(TASKS, -1)
    }
  }

  /** Takes a free slot. Returns an index beyond the memory if none is free: then the thread is not watched. */
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

/** The server's side of the pulse, which checks the beats. It counts checks instead of time, because a process may be
 *  stopped and resume hours later. */
export class PulseWatch {
  readonly #memory: Int32Array
  readonly #looksMax: number
  readonly #seen = new Map<number, { beats: number; looks: number }>()

  constructor(memory: SharedArrayBuffer, looksMax: number) {
    this.#memory = new Int32Array(memory)
    this.#looksMax = looksMax
  }

  /** Returns the ids of threads that had tasks but no beat during the last `looksMax` checks. */
  check(): number[] {
    const stuck: number[] = []
    for (let slot = 0; slot < this.#memory.length; slot += FIELDS) {
      const [id, beats] = [this.#read(slot + ID), this.#read(slot + BEATS)]
      const before = this.#seen.get(id)
      const isStill = id !== 0 && this.#read(slot + TASKS) > 0 && before?.beats === beats
      const looks = isStill ? before.looks + 1 : 0
      this.#seen.set(id, { beats, looks })
      if (looks >= this.#looksMax) stuck.push(id)
    }
    return stuck
  }

  /** Frees the slot of a thread that has ended. */
  forget(id: number): void {
    this.#seen.delete(id)
    for (let slot = 0; slot < this.#memory.length; slot += FIELDS) {
      if (this.#read(slot + ID) !== id) continue
      Atomics.store(this.#memory, slot + BEATS, 0)
      Atomics.store(this.#memory, slot + TASKS, 0)
      Atomics.store(this.#memory, slot + ID, 0)
    }
  }

  #read(index: number): number {
    return Atomics.load(this.#memory, index)
  }
}
