// Messages between the thread that took them apart and those that place them: their text, and a log for each thread.
// Both lie in memory that all threads see, and are used again when all of them are done.

const TEXT_BYTES = 2 << 20
const LOG_INTS = 1 << 18

export class MessageBatch {
  readonly number: number
  text = new Uint8Array(new SharedArrayBuffer(TEXT_BYTES))
  readonly logs: Int32Array[]
  /** Where each log ends. */
  readonly logEnds: number[]
  /** Threads that are not done with it. */
  readersLeft = 0
  #textLength = 0
  /** Where each array of bytes stands in the text. */
  readonly #offsets = new Map<Uint8Array, number>()

  constructor(number: number, threads: number) {
    this.number = number
    this.logs = Array.from({ length: threads }, () => newLog(LOG_INTS))
    this.logEnds = this.logs.map(() => 0)
  }

  clear(): void {
    this.#textLength = 0
    this.#offsets.clear()
    this.logEnds.fill(0)
  }

  /** Whether there is room for some bytes, if they are not there yet, and for so many integers in a log. */
  fits(bytes: Uint8Array, log: number, ints: number): boolean {
    return (
      this.logEnds[log]! + ints <= this.logs[log]!.length &&
      (this.#offsets.has(bytes) || this.#textLength + bytes.length <= this.text.length)
    )
  }

  /** Makes room in an empty batch for what is larger than is usual. */
  grow(bytes: number, log: number, ints: number): void {
    if (bytes > this.text.length) this.text = new Uint8Array(new SharedArrayBuffer(bytes))
    if (ints > this.logs[log]!.length) this.logs[log] = newLog(ints)
  }

  /** Where the bytes stand in the text; they are copied there if they are not yet. */
  offsetOf(bytes: Uint8Array): number {
    const known = this.#offsets.get(bytes)
    if (known !== undefined) return known
    const offset = this.#textLength
    this.text.set(bytes, offset)
    this.#textLength += bytes.length
    this.#offsets.set(bytes, offset)
    return offset
  }
}

const newLog = (ints: number) => new Int32Array(new SharedArrayBuffer(4 * ints))
