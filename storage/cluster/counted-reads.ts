// Wraps objects so that their reads are counted.

import type { NodeCounters } from './node-counters.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects/objects.ts'

export const withCountedReads = (objects: Objects, counters: NodeCounters): Objects => ({
  async read(range) {
    counters.count('reads')
    counters.count('readBytes', range.length)
    try {
      return await objects.read(range)
    } catch (error) {
      // A missing object is not a failed read: the piece has moved and is read elsewhere.
      if (!(error instanceof ObjectGone || error instanceof ObjectTooShort)) counters.count('failedReads')
      throw error
    }
  },
  put: (key, bytes) => objects.put(key, bytes),
  list: (prefix) => objects.list(prefix),
  nowMs: () => objects.nowMs(),
  remove: (keys) => objects.remove(keys),
  close: () => objects.close(),
})
