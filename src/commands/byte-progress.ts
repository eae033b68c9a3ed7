// A bar that counts bytes, shown on a terminal only.

import { SingleBar } from 'cli-progress'

export class ByteProgress {
  readonly #what: string
  readonly #terminal: NodeJS.WriteStream | undefined
  #bar: SingleBar | undefined

  constructor(what: string, terminal: NodeJS.WriteStream | undefined) {
    this.#what = what
    this.#terminal = terminal?.isTTY === true ? terminal : undefined
  }

  readonly show = (bytes: number, ofBytes: number): void => {
    if (this.#terminal === undefined) return
    const megabytes = (count: number) => Math.round(count / 1e5) / 10
    this.#bar ??= this.#start(megabytes(ofBytes))
    this.#bar.update(megabytes(Math.min(bytes, ofBytes)))
  }

  stop(): void {
    this.#bar?.stop()
  }

  #start(megabytes: number): SingleBar {
    const format = `${this.#what} {bar} {percentage} % | {value} of {total} MB | {eta_formatted} left`
    const options = { format, etaBuffer: 50, hideCursor: true, clearOnComplete: true }
    const bar = new SingleBar({ ...options, stream: this.#terminal! })
    bar.start(Math.max(0.1, megabytes), 0)
    return bar
  }
}
