// Wraps objects so that their requests are counted.

import { withCountedReads } from '../../storage/cluster/counted-reads.ts'
import { NodeCounters } from '../../storage/cluster/node-counters.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'

export type Requests = { reads: number; readBytes: number; puts: number }

export function countingObjects(objects: Objects): { objects: Objects; counted: () => Requests } {
  const counters = new NodeCounters()
  let puts = 0
  const put = (key: string, bytes: Uint8Array) => {
    puts++
    return objects.put(key, bytes)
  }
  return { objects: { ...withCountedReads(objects, counters), put }, counted: () => ({ ...counters.counts(), puts }) }
}
