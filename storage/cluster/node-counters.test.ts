// The counts of a node's threads are added to one sum.

import { expect, test } from 'bun:test'
import { counterMemory, NodeCounters } from './node-counters.ts'

test('threads that share the memory count together', () => {
  const memory = counterMemory()
  const [one, other] = [new NodeCounters(memory), new NodeCounters(memory)]
  one.count('hits')
  other.count('hits')
  other.count('readBytes', 2 ** 40)
  expect(one.counts()).toEqual({ hits: 2, misses: 0, failures: 0, reads: 0, readBytes: 2 ** 40, failedReads: 0 })
  expect(new NodeCounters().counts().hits).toBe(0)
})
