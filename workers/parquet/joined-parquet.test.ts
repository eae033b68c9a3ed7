// Parts that are written separately become one file, in which their groups get new offsets.

import { expect, test } from 'bun:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { JoinedParquet, packedTail } from './joined-parquet.ts'
import { type PlainElement, PlainParquet } from './plain-parquet.ts'

const elements: PlainElement[] = [{ name: 'x', type: 'DOUBLE', repetition_type: 'REQUIRED' }]

/** Returns the chunks of a part with a group for each list. */
function partOf(...groups: number[][]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const file = new PlainParquet({ elements, write: (bytes) => pieces.push(bytes.slice()), isPart: true })
  for (const values of groups)
    file.writeGroup(values.length, [{ bytes: new Uint8Array(Float64Array.from(values).buffer) }])
  return [...pieces, packedTail({ elements, metadata: new Map([['k', 'v']]), groups: file.groups })]
}

async function joined(...parts: Uint8Array[][]) {
  const joining = new JoinedParquet()
  const pieces: Uint8Array[] = []
  for (const chunks of parts) {
    const stream = (async function* () {
      yield* chunks
    })()
    for await (const bytes of joining.add(stream)) pieces.push(bytes)
  }
  return new Uint8Array(Buffer.concat([...pieces, joining.end()])).buffer
}

test('rows of all parts, in order, and the metadata of the first', async () => {
  const file = await joined(partOf([1, 2], [3]), partOf(), partOf([4]))
  expect((await parquetReadObjects({ file, compressors })).map(({ x }) => x)).toEqual([1, 2, 3, 4])
  const { row_groups: groups, key_value_metadata: pairs } = parquetMetadata(file)
  expect([groups.length, pairs]).toEqual([3, [{ key: 'k', value: 'v' }]])
})

test('a tail in one chunk with rows before it', async () => {
  const one = [new Uint8Array(Buffer.concat(partOf([7, 8])))]
  const file = await joined(one, one)
  expect((await parquetReadObjects({ file, compressors })).map(({ x }) => x)).toEqual([7, 8, 7, 8])
})
