// Writes the footer of a Parquet file: the schema, the places of its columns, and the footer's own length.
//
// hyparquet-writer prints the width of an integer's logical type as an `i32`, but the format requires an `i8`
// (`logicalType` in its metadata.js, 0.17.0), and DuckDB refuses the whole file. So this file builds the footer itself,
// with the fields that our columns need. The package's serializer accepts explicit types.
// Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift

import {
  CompressionCodecs,
  ConvertedTypes,
  Encodings,
  FieldRepetitionTypes,
  ParquetTypes,
} from 'hyparquet/src/constants.js'
import { ByteWriter, type ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { logicalType } from 'hyparquet-writer/src/metadata.js'
import { serializeTCompactProtocol, ThriftStruct } from 'hyparquet-writer/src/thrift.js'

export type RowGroup = ParquetWriter['row_groups'][number]
type ColumnMetadata = NonNullable<RowGroup['columns'][number]['meta_data']>

/** Type codes of the compact protocol. */
const [TRUE, FALSE, BYTE, STRUCT] = [1, 2, 3, 12]

export const MAGIC = new TextEncoder().encode('PAR1')

export function parquetFooter(
  elements: readonly SchemaElement[],
  groups: readonly RowGroup[],
  metadata: ReadonlyMap<string, string>,
): Uint8Array {
  const writer = new ByteWriter()
  serializeTCompactProtocol(writer, {
    field_1: 2,
    field_2: [rootOf(elements), ...elements.map(elementOf)],
    field_3: groups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    field_4: groups.map(groupOf),
    field_5: Array.from(metadata, ([key, value]) => ({ field_1: key, field_2: value })),
    field_6: 'backbook',
    field_7: elements.map(() => ({ field_1: {} })),
  })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(writer.offset)
  return Buffer.concat([writer.getBytes(), length, MAGIC])
}

const rootOf = (elements: readonly SchemaElement[]) => ({
  field_3: FieldRepetitionTypes.indexOf('REQUIRED'),
  field_4: 'schema',
  field_5: elements.length,
})

const elementOf = ({ name, type, type_length, repetition_type, converted_type, logical_type }: SchemaElement) => ({
  field_1: ParquetTypes.indexOf(type!),
  field_2: type_length,
  field_3: FieldRepetitionTypes.indexOf(repetition_type!),
  field_4: name,
  field_6: converted_type && ConvertedTypes.indexOf(converted_type),
  field_10: logicalOf(logical_type),
})

function logicalOf(logical: SchemaElement['logical_type']) {
  if (logical?.type !== 'INTEGER') return logicalType(logical)
  const { bitWidth, isSigned } = logical
  return new ThriftStruct([[10, STRUCT, new ThriftStruct([[1, BYTE, bitWidth], flagOf(isSigned)])]])
}

const flagOf = (flag: boolean): [number, number, boolean] => [2, flag ? TRUE : FALSE, flag]

const groupOf = ({ columns, total_byte_size, num_rows, total_compressed_size }: RowGroup) => ({
  field_1: columns.map(({ file_offset, meta_data }) => ({ field_2: file_offset, field_3: chunkOf(meta_data!) })),
  field_2: total_byte_size,
  field_3: num_rows,
  field_6: total_compressed_size,
})

const chunkOf = (chunk: ColumnMetadata) => ({
  field_1: ParquetTypes.indexOf(chunk.type),
  field_2: chunk.encodings.map((encoding) => Encodings.indexOf(encoding)),
  field_3: chunk.path_in_schema,
  field_4: CompressionCodecs.indexOf(chunk.codec),
  field_5: chunk.num_values,
  field_6: chunk.total_uncompressed_size,
  field_7: chunk.total_compressed_size,
  field_9: chunk.data_page_offset,
  field_12: chunk.statistics && {
    field_5: chunk.statistics.max_value as Uint8Array,
    field_6: chunk.statistics.min_value as Uint8Array,
  },
})
