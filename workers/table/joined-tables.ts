// Many tables as one answer, from the bytes of each as `encodeTable` writes a part.

import { END_OF_STREAM } from '../arrow/arrow-stream.ts'
import type { TableFormat } from './encode-table.ts'

/** One part at least. Whatever fails in a part fails here. */
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
