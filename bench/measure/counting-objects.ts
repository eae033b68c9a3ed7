// Wraps an object store (`Objects`) to count its requests.

import { NodeCounters } from '../../storage/cluster/node-counters.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'
import { altered } from '../../test/support/cluster/altered.ts'

export type Requests = { reads: number; readBytes: number; puts: number }

/** Returns the wrapped store and its `counters`. Pass `counters` to the reader of pieces, which counts its reads
 *  in them. */
export function countingObjects(objects: Objects) {
  const counters = new NodeCounters()
  let puts = 0
  const put = (key: string, bytes: Uint8Array) => {
    puts++
    return objects.put(key, bytes)
  }
  const counted = (): Requests => ({ ...counters.counts(), puts })
  return { objects: altered(objects, { put }), counters, counted }
}
