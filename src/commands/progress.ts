// A bar on stderr for work that takes its time, where stderr is a terminal; nothing anywhere else.

import { SingleBar } from 'cli-progress'

export type ProgressWords = { total: number; unit: string; decimals?: number; note?: string }

export class Progress {
  readonly #bar: SingleBar | undefined
  readonly #scale: number
  #note = ''

  /** `total` counts what `show` is told. `note` stands beside the bar and may change. */
  constructor({ total, unit, decimals = 0, note = '' }: ProgressWords, terminal: NodeJS.WriteStream | undefined) {
    this.#scale = 10 ** decimals
    this.#note = note
    if (terminal?.isTTY !== true) return
    const format = `{bar} {percentage} % | {value} of {total} ${unit}{note} | {eta_formatted} left`
    this.#bar = new SingleBar({ format, stream: terminal, etaBuffer: 50, hideCursor: true, clearOnComplete: true })
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
