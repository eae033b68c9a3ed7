// Cells of a text row. A cell defines how a value is written, and the constant text before it.

import { NUMBER_ROOM } from './print-number.ts'
import { PRICE_PLACES } from './print-price.ts'
import { longestText, quotedRoom, quotedTexts } from './quoted-text.ts'
import { type Column, type Group, NO_TEXTS, type TableChunk } from './table.ts'
import { type WordText, wordText } from './text-words.ts'

/** Kinds of cells, the most frequent first. A NOTHING cell closes a list of levels. */
export const [WHOLE, FLAG, PRICE, DECIMAL, DOUBLE, NAME, TEXT, LEVEL, NOTHING] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** A column with its index in the table. */
type Placed = Column & { index: number }

const NO_VALUES = new Float64Array(0)

/** A cell of any kind. All kinds share one class, because a loop over objects of one layout is fast. */
export class Cell {
  readonly words: Float64Array
  readonly length: number
  kind = NOTHING
  places = 0
  values: Float64Array = NO_VALUES
  /** The names as they are written for a NAME cell, or the texts of the chunk for a TEXT cell. */
  texts = NO_TEXTS
  /** Used for the price of a level. If the level exists, `opening` is additional text before the price. If not, `next`
   *  is the index of the cell to continue with. */
  opening: WordText = { words: NO_VALUES, length: 0 }
  next = 0
  readonly #column: number

  constructor(before: string, column: number) {
    const { words, length } = wordText(before)
    this.words = words
    this.length = length
    this.#column = column
  }

  /** Starts a chunk. All entries until the next call are entries of this chunk. */
  begin(chunk: TableChunk): void {
    if (this.kind === NOTHING) return
    this.values = chunk.values(this.#column)
    if (this.kind === TEXT) this.texts = chunk.texts(this.#column)
  }

  /** Maximum number of bytes that writing the cell may overwrite. */
  get room(): number {
    return this.length + this.opening.length + NUMBER_ROOM + quotedRoom(longestText(this.texts))
  }
}

export const csvCells = (columns: readonly Placed[], hasPrefix: boolean): Cell[] =>
  columns.map((column, i) => cellOf(column, i > 0 || hasPrefix ? ',' : '', true))

/** Returns the cells of an object, and its closing text. */
export function jsonCells(columns: readonly Placed[]): { cells: Cell[]; end: string } {
  const cells: Cell[] = []
  let end = ''
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i]!
    const { name, group } = column
    if (group === undefined) {
      cells.push(cellOf(column, `${end},${JSON.stringify(name)}:`, false))
      end = ''
      continue
    }
    const isFirst = group.name !== columns[i - 1]?.group?.name
    const open = `${end},${JSON.stringify(group.name)}:${isObject(group) ? '{' : '['}`
    const before = isFirst ? open : isObject(group) || group.list === 'values' ? ',' : ''
    const count = columns.slice(i).findIndex((other) => other.group?.name !== group.name)
    const last = count < 0 ? columns.length : i + count
    if (isObject(group)) cells.push(cellOf(column, `${before}${JSON.stringify(group.key)}:`, false))
    else if (group.list === 'values') cells.push(cellOf(column, before, false))
    else {
      cells.push(...levelCells(columns.slice(i, last), before, cells.length))
      i = last - 1
    }
    end = isObject(group) ? '}' : ']'
  }
  return { cells, end }
}

const isObject = (group: Group): group is { name: string; key: string } => 'key' in group

// Returns the cells of `[[price,size],[price,size]]`. Levels that do not exist are left out at the end of the list. The
// cell after the list begins with the list's closing bracket.
function levelCells(columns: readonly Placed[], before: string, first: number): Cell[] {
  const cells = columns.map((column, i) => {
    if (i % 2 === 1) return cellOf(column, ',', false)
    const price = cellOf(column, i === 0 ? before : ']', false)
    price.kind = LEVEL
    price.opening = wordText(i === 0 ? '[' : ',[')
    price.next = first + columns.length + 1
    return price
  })
  return [...cells, new Cell(']', -1)]
}

function cellOf({ type, index }: Placed, before: string, isCsv: boolean): Cell {
  const cell = new Cell(before, index)
  if (type === 'nothing') return cell
  if (type === 'whole') cell.kind = WHOLE
  else if (type === 'flag') cell.kind = FLAG
  else if (type === 'double') cell.kind = DOUBLE
  else if (type === 'text') cell.kind = TEXT
  else if ('names' in type) {
    cell.kind = NAME
    cell.texts = quotedTexts(type.names, isCsv)
  } else {
    cell.kind = type.places === PRICE_PLACES ? PRICE : DECIMAL
    cell.places = type.places
  }
  return cell
}
