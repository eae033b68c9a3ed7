// The columns of a table that are asked for. Their order is always that of the table.

import { type Column, type ColumnType, type Constant, hasValues, type Table, TIMESTAMP } from './table.ts'

export type KeptColumns<Any = Column & { type: ColumnType }> = {
  constants: readonly Constant[]
  hasTimestamp: boolean
  /** Each with its place in the table, by which chunks know it. */
  columns: readonly (Any & { index: number })[]
}

const placed = (columns: readonly Column[]) => columns.map((column, index) => ({ ...column, index }))

/** Those of JSON: all of them. */
export const allColumns = ({ constants, columns }: Pick<Table, 'constants' | 'columns'>): KeptColumns<Column> => ({
  constants,
  hasTimestamp: true,
  columns: placed(columns),
})

/** Those of flattened formats: all that have values unless names are given, of which one at least is a column's. */
export function keptColumns(
  { constants, columns }: Pick<Table, 'constants' | 'columns'>,
  names?: readonly string[],
): KeptColumns {
  const isKept = names === undefined ? () => true : (name: string) => names.includes(name)
  return {
    constants: constants.filter(({ name }) => isKept(name)),
    hasTimestamp: isKept(TIMESTAMP),
    columns: placed(columns)
      .filter(hasValues)
      .filter(({ name }) => isKept(name)),
  }
}
