// What a synthetic day must do at set times, between the things that happen by chance.

export type AgendaItem = { atUs: number; lines: () => Iterable<string> }

export class Agenda {
  readonly #items: AgendaItem[] = []

  /** Items of the same time keep the order in which they were added. */
  add(atUs: number, lines: AgendaItem['lines']): void {
    let index = this.#items.length
    while (index > 0 && this.#items[index - 1]!.atUs > atUs) index--
    this.#items.splice(index, 0, { atUs, lines })
  }

  /** The next item that is due at this time, removed, or undefined. */
  takeDue(atUs: number): AgendaItem | undefined {
    const first = this.#items[0]
    return first !== undefined && first.atUs <= atUs ? this.#items.shift() : undefined
  }
}
