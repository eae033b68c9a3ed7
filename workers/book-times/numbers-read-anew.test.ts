// Tests whether new records of a capture change how the sequence numbers of the whole day are read.

import { expect, test } from 'bun:test'
import type { BookTimes, InferredGap, PartitionHead } from '../../storage/format/partition-head.ts'
import { areNumbersReadAnew } from './numbers-read-anew.ts'

const times = (of: Partial<BookTimes>): BookTimes => ({
  ...{ book: 'A', snapshotsMs: [5], goesOnMs: null, gapsMs: [], lastChangeMs: 20 },
  ...of,
})
const gap = (reason: InferredGap['reason']): InferredGap => ({
  ...{ book: 1, reason, fromMs: 10, toMs: 15, levelsDiffering: null },
})
const broken = times({ gapsMs: [10], lastChangeMs: 30 })

type Origins = Pick<PartitionHead, 'heard' | 'sequenceHoles'>
test.each<[string, Origins, Origins, InferredGap[], boolean]>([
  ['nothing new', { heard: [broken] }, { heard: [broken] }, [gap('sequence_restart')], false],
  ['the first recorder', { heard: [times({})] }, { heard: [times({}), times({ recorder: 'r' })] }, [], true],
  [
    'a second one',
    { heard: [times({ recorder: 'r' })] },
    { heard: ['r', 's'].map((r) => times({ recorder: r })) },
    [],
    true,
  ],
  ['a hole', {}, { sequenceHoles: [{ fromMs: 3 }] }, [], true],
  [
    'a capture that continues at a restart',
    { heard: [broken] },
    { heard: [broken, times({})] },
    [gap('sequence_restart')],
    true,
  ],
  [
    'one that ends before',
    { heard: [broken] },
    { heard: [broken, times({ lastChangeMs: 9 })] },
    [gap('sequence_restart')],
    false,
  ],
  [
    'one that begins with it',
    { heard: [broken] },
    { heard: [broken, times({ snapshotsMs: [10] })] },
    [gap('sequence_restart')],
    false,
  ],
  ['no restart', { heard: [broken] }, { heard: [broken, times({})] }, [gap('crossed')], false],
])('%s', (_, before, after, inferredGaps, expected) =>
  expect(areNumbersReadAnew({ ...before, inferredGaps }, after)).toBe(expected),
)
