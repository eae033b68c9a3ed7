// Which sizes changed while the clock ran: their marks fade by themselves, each from the moment of its change.

const NAMES_MAX = 2_000

/** `change` is null of a size that was not seen to change. `stamp` is another for each. */
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
