// Goal: what one thread finds damaged every other one knows, whole, once; and what is too much to be told is refused all the
// same.

import { expect, test } from 'bun:test'
import { type PageFault, wholeTree } from '../../../storage/lmdb/page-fault.ts'
import { SharedFaults } from '../../../storage/lmdb/shared-faults.ts'

const fault = (page: number): PageFault => ({
  ...wholeTree('heads', page, 'is missing'),
  ...{ from: Buffer.of(page % 256, 0, 255), before: Buffer.of(1), isEntry: true },
})

test('what one adds another reads, with its keys, and once', () => {
  const finder = new SharedFaults()
  const reader = new SharedFaults(finder.memory)
  expect(reader.news()).toBeUndefined()
  finder.add([])
  expect(reader.news()).toBeUndefined()
  finder.add([fault(7)])
  expect(reader.news()).toEqual([fault(7)])
  expect(reader.news()).toBeUndefined()
  finder.add([fault(7)])
  expect(reader.news()).toBeUndefined()
  reader.add([fault(8)])
  expect(reader.news()).toEqual([fault(7), fault(8)])
  expect(finder.news()).toEqual([fault(7), fault(8)])
  expect(new SharedFaults(finder.memory).news()).toHaveLength(2)
})

test('more than there is room for is damage of the whole tree', () => {
  const faults = new SharedFaults()
  faults.add(Array.from({ length: 20_000 }, (_, page) => fault(page)))
  const [only, ...more] = faults.news()!
  expect(more).toEqual([])
  expect(only).toMatchObject({ tree: 'heads', from: null, to: null, before: null, after: null, isEntry: false })
  faults.add([{ ...fault(1), tree: 'blocks' }])
  expect(faults.news()!.map(({ tree }) => tree)).toEqual(['heads', 'blocks'])
})
