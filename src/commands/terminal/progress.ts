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

/** A bar for work that tells how much is done of how much, from its first step on: one after the other for each thing
 *  that it does. */
export class StepProgress {
  readonly #terminal: NodeJS.WriteStream | undefined
  #what = ''
  #progress: Progress | undefined

  constructor(terminal: NodeJS.WriteStream | undefined) {
    this.#terminal = terminal
  }

  readonly show = (what: string, done: number, of: number, unit = 'bytes'): void => {
    const scale = unit === 'bytes' ? 1e6 : 1
    if (what !== this.#what) {
      this.stop()
      this.#what = what
      const words = unit === 'bytes' ? { unit: 'MB', decimals: 1 } : { unit }
      this.#progress = new Progress({ what, total: of / scale, ...words }, this.#terminal)
    }
    this.#progress?.show(Math.min(done, of) / scale)
  }

  /** Takes the bar away. */
  stop(): void {
    this.#progress?.stop()
  }
}
