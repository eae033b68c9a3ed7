// A bar on stderr for work that takes its time, where stderr is a terminal; nothing anywhere else.

import { SingleBar } from 'cli-progress'

export type ProgressWords = { total: number; unit: string; what?: string; decimals?: number; note?: string }

export class Progress {
  readonly #bar: SingleBar | undefined
  readonly #scale: number
  #note = ''

  /** `total` counts what `show` is told. `what` stands before the bar; `note` stands behind it and may change. */
  constructor({ total, unit, what, decimals = 0, note = '' }: ProgressWords, terminal: NodeJS.WriteStream | undefined) {
    this.#scale = 10 ** decimals
    this.#note = note
    if (terminal?.isTTY !== true) return
    const begin = what === undefined ? '' : `${what} `
    const format = `${begin}{bar} {percentage} % | {value} of {total} ${unit}{note} | {eta_formatted} left`
    this.#bar = new SingleBar({ format, stream: terminal, etaBuffer: 50, clearOnComplete: true, ...LEAVES_NOTHING })
    this.#bar.start(Math.max(1 / this.#scale, this.#rounded(total)), 0, { note: this.#noteText() })
  }

  show(value: number, note?: string): void {
    if (this.#bar === undefined) return
    if (note !== undefined) this.#note = note
    this.#bar.update(this.#rounded(value), { note: this.#noteText() })
  }

  /** Takes the bar away. */
  stop(): void {
    this.#bar?.stop()
  }

  #noteText = () => (this.#note === '' ? '' : ` | ${this.#note}`)
  #rounded = (value: number) => Math.round(value * this.#scale) / this.#scale
}

/** Ctrl-C ends a command at once, in the middle of whatever it does: so nothing of the terminal is changed that would
 *  have to be put back, such as a hidden cursor. */
const LEAVES_NOTHING = { hideCursor: false, linewrap: true }

/** A bar of megabytes for work that tells how many bytes are done of how many, from its first step on. */
export class ByteProgress {
  readonly #what: string
  readonly #terminal: NodeJS.WriteStream | undefined
  #progress: Progress | undefined

  constructor(what: string, terminal: NodeJS.WriteStream | undefined) {
    this.#what = what
    this.#terminal = terminal
  }

  readonly show = (bytes: number, ofBytes: number): void => {
    this.#progress ??= new Progress({ what: this.#what, total: ofBytes / 1e6, unit: 'MB', decimals: 1 }, this.#terminal)
    this.#progress.show(Math.min(bytes, ofBytes) / 1e6)
  }

  stop(): void {
    this.#progress?.stop()
  }
}
