// Objects whose requests are counted.

import type { ObjectRange, Objects } from '../../storage/cluster/objects/objects.ts'

export type Requests = { reads: number; readBytes: number; puts: number }

export function countingObjects(objects: Objects): { objects: Objects; counted: Requests } {
  const counted: Requests = { reads: 0, readBytes: 0, puts: 0 }
  const read = (range: ObjectRange) => {
    counted.reads++
    counted.readBytes += range.length
    return objects.read(range)
  }
  const put = (key: string, bytes: Uint8Array) => {
    counted.puts++
    return objects.put(key, bytes)
  }
  return {
    counted,
    objects: {
      read,
      put,
      list: (prefix) => objects.list(prefix),
      nowMs: () => objects.nowMs(),
      remove: (keys) => objects.remove(keys),
      close: () => objects.close(),
    },
  }
}
