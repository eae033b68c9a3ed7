// Copies a column into a longer one.

type Numbers = Float64Array | Int32Array | Uint32Array

/** Returns a column of the same kind, by default twice as long. */
export function grown<Column extends Numbers>(column: Column, length: number = 2 * column.length): Column {
  const longer = new (column.constructor as new (length: number) => Column)(length)
  longer.set(column)
  return longer
}
