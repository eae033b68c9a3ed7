// Joins many tables into one answer, from the bytes that `encodeTable` writes for each part.

import { END_OF_STREAM } from '../arrow/arrow-stream.ts'
import type { TableFormat } from './encode-table.ts'

/** Joins the bytes of at least one part. Fails if a part fails. */
export async function* joinTables(
  format: Exclude<TableFormat, 'json'>,
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  if (format === 'parquet') {
    const { JoinedParquet } = await import('../parquet/joined-parquet.ts')
    const file = new JoinedParquet()
    for await (const part of parts) yield* file.add(part)
    yield file.end()
    return
  }
  for await (const part of parts) yield* part
  if (format === 'arrow') yield Uint8Array.from(END_OF_STREAM)
}
