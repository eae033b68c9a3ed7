// Tracks which sizes changed while the clock ran. Their marks fade by themselves, each from the time of its change.

const NAMES_MAX = 2_000

/** `change` is null if the size has not been seen to change. Each change gets a new `stamp`. */
export type Flash = { stamp: number; change: 'more' | 'less' | null }

export class Flashes {
  readonly #seen = new Map<string, Flash & { size: number }>()
  #stamp = 0

  of(name: string, size: number, isRunning: boolean): Flash {
    const seen = this.#seen.get(name)
    if (seen?.size === size) return seen
    if (this.#seen.size > NAMES_MAX) this.#seen.clear()
    const change = !isRunning || seen === undefined ? null : size > seen.size ? 'more' : 'less'
    const made = { size, stamp: ++this.#stamp, change } as const
    this.#seen.set(name, made)
    return made
  }
}
