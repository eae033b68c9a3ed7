// The columns of a flattened table that are asked for. Their order is always that of the table.

import { type Column, type Constant, type Table, TIMESTAMP } from './table.ts'

export type KeptColumns = {
  constants: readonly Constant[]
  hasTimestamp: boolean
  /** Each with its place in the table, by which chunks know it. */
  columns: readonly (Column & { index: number })[]
}

/** All of them unless names are given, of which one at least is a column's. */
export function keptColumns({ constants, columns }: Pick<Table, 'constants' | 'columns'>, names?: readonly string[]) {
  const isKept = names === undefined ? () => true : (name: string) => names.includes(name)
  const kept: KeptColumns = {
    constants: constants.filter(({ name }) => isKept(name)),
    hasTimestamp: isKept(TIMESTAMP),
    columns: columns.map((column, index) => ({ ...column, index })).filter(({ name }) => isKept(name)),
  }
  return kept
}
