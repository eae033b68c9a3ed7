// Which sizes changed while the clock ran: their marks fade by themselves, each from the moment of its change.

const NAMES_MAX = 2_000

export type Flash = { stamp: number; isNew: boolean }

export class Flashes {
  readonly #seen = new Map<string, Flash & { size: number }>()
  #stamp = 0

  /** `stamp` is another when the size is another; `isNew` says whether that was seen to happen. */
  of(name: string, size: number, isRunning: boolean): Flash {
    const seen = this.#seen.get(name)
    if (seen?.size === size) return seen
    if (this.#seen.size > NAMES_MAX) this.#seen.clear()
    const made = { size, stamp: ++this.#stamp, isNew: isRunning && seen !== undefined }
    this.#seen.set(name, made)
    return made
  }
}
