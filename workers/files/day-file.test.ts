// The version of a day changes with every change of its stored data.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { dayVersionOf, storedName } from './day-file.ts'

test('revision, next id and number of records', () => {
  const head = { revision: 3, nextId: 17, recordCount: 200 } as PartitionHead
  expect(dayVersionOf(head)).toBe('3.17.200')
  const versions = [head, { ...head, revision: 4 }, { ...head, nextId: 18 }, { ...head, recordCount: 201 }].map(
    dayVersionOf,
  )
  expect(new Set(versions).size).toBe(4)
  expect(storedName('ab')).toBe('ab.file')
})
