// A longer column with the same values.

type Numbers = Float64Array | Int32Array | Uint32Array

/** Of the same kind; twice as long unless told. */
export function grown<Column extends Numbers>(column: Column, length: number = 2 * column.length): Column {
  const longer = new (column.constructor as new (length: number) => Column)(length)
  longer.set(column)
  return longer
}
