// Scheduled events of a synthetic day, between the random ones.

export type AgendaItem = { atUs: number; lines: () => Iterable<string> }

export class Agenda {
  readonly #items: AgendaItem[] = []

  /** Adds an item. Items of the same time keep the order in which they were added. */
  add(atUs: number, lines: AgendaItem['lines']): void {
    let index = this.#items.length
    while (index > 0 && this.#items[index - 1]!.atUs > atUs) index--
    this.#items.splice(index, 0, { atUs, lines })
  }

  /** Removes and returns the next item due at this time; undefined if there is none. */
  takeDue(atUs: number): AgendaItem | undefined {
    const first = this.#items[0]
    return first !== undefined && first.atUs <= atUs ? this.#items.shift() : undefined
  }
}
