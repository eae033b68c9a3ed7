// A progress bar on stderr for long work, shown only if stderr is a terminal.

import { SingleBar } from 'cli-progress'

export type ProgressWords = { total: number; unit: string; what?: string; decimals?: number; note?: string }

export class Progress {
  readonly #bar: SingleBar | undefined
  readonly #scale: number
  #note = ''

  /** `total` is the value of `show` when the work is done. `what` is printed before the bar, `note` after it; `note`
   *  may change. */
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

  /** Removes the bar. */
  stop(): void {
    this.#bar?.stop()
  }

  #noteText = () => (this.#note === '' ? '' : ` | ${this.#note}`)
  #rounded = (value: number) => Math.round(value * this.#scale) / this.#scale
}

/** Ctrl-C ends a command at once, so the bar makes no change to the terminal that would need undoing, such as a hidden
 *  cursor. */
const LEAVES_NOTHING = { hideCursor: false, linewrap: true }

/** Shows one bar after the other, for work in several steps. */
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

  /** Removes the bar. */
  stop(): void {
    this.#progress?.stop()
  }
}
