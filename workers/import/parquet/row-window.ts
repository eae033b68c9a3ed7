// Reads a few rows of a row group by column, into arrays that are reused for the next rows.

import type { ListColumn, RowGroup, RowRange, WordColumn } from './row-group.ts'

/** Arrays by column name. Each array has the length of the longest window so far. */
export class WindowRoom {
  readonly #numbers = new Map<string, Float64Array>()
  readonly #wholes = new Map<string, BigUint64Array>()
  readonly #places = new Map<string, Int32Array>()
  readonly lists = new Map<string, ListColumn>()

  numbers(name: string, length: number): Float64Array {
    return roomIn(this.#numbers, name, length, Float64Array).subarray(0, length)
  }

  wholes(name: string, length: number): BigUint64Array {
    return roomIn(this.#wholes, name, length, BigUint64Array).subarray(0, length)
  }

  places(name: string, length: number): Int32Array {
    return roomIn(this.#places, name, length, Int32Array).subarray(0, length)
  }
}

/** A window of rows. Its arrays are valid until another window is read into the same room. */
export class RowWindow {
  readonly range: RowRange
  readonly #group: RowGroup
  readonly #room: WindowRoom

  constructor(group: RowGroup, range: RowRange, room: WindowRoom) {
    this.#group = group
    this.range = range
    this.#room = room
  }

  numbers(name: string): Float64Array {
    return this.#group.numbers(name, this.range, this.#room.numbers(name, this.#length))
  }

  wholes(name: string): BigUint64Array {
    return this.#group.wholes(name, this.range, this.#room.wholes(name, this.#length))
  }

  words(name: string): WordColumn {
    return this.#group.words(name, this.range, this.#room.places(name, this.#length))
  }

  lists(name: string, field: string): ListColumn {
    const key = `${name}.${field}`
    const column = this.#group.lists(name, field, this.range, this.#room.lists.get(key))
    this.#room.lists.set(key, column)
    return column
  }

  get #length(): number {
    return this.range.end - this.range.start
  }
}

function roomIn<Of extends { length: number }>(
  rooms: Map<string, Of>,
  name: string,
  length: number,
  Type: new (length: number) => Of,
): Of {
  const known = rooms.get(name)
  if (known !== undefined && known.length >= length) return known
  const room = new Type(length)
  rooms.set(name, room)
  return room
}
