// Selects the requested columns of a table. They always keep the table's order.

import { type Column, type ColumnType, type Constant, hasValues, type Table, TIMESTAMP } from './table.ts'

export type ChosenColumns<Any = Column & { type: ColumnType }> = {
  constants: readonly Constant[]
  hasTimestamp: boolean
  /** Each column with its index in the table. Chunks use this index. */
  columns: readonly (Any & { index: number })[]
}

const placed = (columns: readonly Column[]) => columns.map((column, index) => ({ ...column, index }))

/** Returns all columns, for JSON. */
export const allColumns = ({ constants, columns }: Pick<Table, 'constants' | 'columns'>): ChosenColumns<Column> => ({
  constants,
  hasTimestamp: true,
  columns: placed(columns),
})

/** Returns the columns for flattened formats: all columns that have values, or only those with the given names. At
 *  least one of the given names must exist. */
export function chooseColumns(
  { constants, columns }: Pick<Table, 'constants' | 'columns'>,
  names?: readonly string[],
): ChosenColumns {
  const isRequested = names === undefined ? () => true : (name: string) => names.includes(name)
  return {
    constants: constants.filter(({ name }) => isRequested(name)),
    hasTimestamp: isRequested(TIMESTAMP),
    columns: placed(columns)
      .filter(hasValues)
      .filter(({ name }) => isRequested(name)),
  }
}
