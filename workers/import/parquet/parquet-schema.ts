// Reads the column types of a Parquet file from its footer.

import type { SchemaElement } from 'hyparquet'

export type Logical = 'decimal' | 'timestamp' | 'text' | 'whole' | 'list' | 'other'

/** A column of values, at the top level or within a list. */
export type Leaf = {
  name: string
  /** Name of the column's own schema element. For a column within a list of structs, this is the name of the struct's
   *  field. */
  field: string
  type: string
  /** Bytes of a value if all values have the same length, else 0. */
  bytes: number
  logical: Logical
  /** Scale of a decimal: 4 if 4,900 is 0.49. */
  scale: number
  /** Timestamp units per millisecond. */
  unitsInMs: number
  /** Definition level of a present value, repetition level of a repeated value, and definition level of an element of
   *  the list. */
  definition: number
  repetition: number
  element: number
}

export type ParquetColumn = { name: string; logical: Logical; leaves: readonly Leaf[] }

const UNITS_IN_MS: Record<string, number> = { MILLIS: 1, MICROS: 1_000, NANOS: 1_000_000 }
const BYTES: Record<string, number> = { INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8 }

export function columnsOf([, ...schema]: readonly SchemaElement[]): ParquetColumn[] {
  const columns: ParquetColumn[] = []
  for (let at = 0; at < schema.length; ) {
    const { name, ...top } = schema[at]!
    const leaves: Leaf[] = []
    at = walk(schema, at, { name, definition: 0, repetition: 0, element: 0 }, leaves)
    const logical = top.num_children === undefined ? leaves[0]!.logical : groupKind(top)
    columns.push({ name, logical, leaves })
  }
  return columns
}

type Above = Pick<Leaf, 'name' | 'definition' | 'repetition' | 'element'>

/** Adds the value columns of the element at index `at`, and of the elements below it, to `leaves`. Returns the index
 *  of the first element after these. */
function walk(schema: readonly SchemaElement[], at: number, above: Above, leaves: Leaf[]): number {
  const element = schema[at]!
  const isRepeated = element.repetition_type === 'REPEATED'
  const definition = above.definition + (element.repetition_type === 'REQUIRED' ? 0 : 1)
  const here = {
    ...{ name: above.name, definition, repetition: above.repetition + (isRepeated ? 1 : 0) },
    element: isRepeated ? definition : above.element,
  }
  const { type, num_children: children = 0 } = element
  if (type !== undefined) {
    leaves.push({ ...here, ...kindOf(element), field: element.name, type })
    return at + 1
  }
  let next = at + 1
  for (let child = 0; child < children; child++) next = walk(schema, next, here, leaves)
  return next
}

function kindOf({ type, type_length: length, scale, converted_type: converted, logical_type: logical }: SchemaElement) {
  const unit = logical?.type === 'TIMESTAMP' ? logical.unit : converted?.replace('TIMESTAMP_', '')
  return {
    bytes: length ?? BYTES[type!] ?? 0,
    logical: logicalOf(type, converted, logical?.type),
    scale: scale ?? 0,
    unitsInMs: UNITS_IN_MS[unit ?? ''] ?? 1,
  }
}

function logicalOf(type: string | undefined, converted: string | undefined, logical: string | undefined): Logical {
  if (converted === 'DECIMAL' || logical === 'DECIMAL') return 'decimal'
  if (logical === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP') === true) return 'timestamp'
  if (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY') return 'text'
  return type === 'INT32' || type === 'INT64' ? 'whole' : 'other'
}

const groupKind = ({ converted_type: converted, logical_type: logical }: Partial<SchemaElement>): Logical =>
  converted === 'LIST' || logical?.type === 'LIST' ? 'list' : 'other'
