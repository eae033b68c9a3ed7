// Ends a connection that is silent for 45 s. The server sends something at least every 30 s, and answers pings.

const SILENCE_MS = 45_000

export class Watch {
  readonly signal: AbortSignal
  readonly #silence = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#silence.signal])
    this.received()
  }

  received(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#silence.abort(new Error(`received nothing for ${SILENCE_MS} ms`)), SILENCE_MS)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
