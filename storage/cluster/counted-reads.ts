// Wraps objects so that their reads are counted.

import type { NodeFigures } from './node-figures.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects/objects.ts'

export const withCountedReads = (objects: Objects, figures: NodeFigures): Objects => ({
  async read(range) {
    figures.count('reads')
    figures.count('readBytes', range.length)
    try {
      return await objects.read(range)
    } catch (error) {
      // A missing object is not a failed read: the piece has moved and is read elsewhere.
      if (!(error instanceof ObjectGone || error instanceof ObjectTooShort)) figures.count('failedReads')
      throw error
    }
  },
  put: (key, bytes) => objects.put(key, bytes),
  list: (prefix) => objects.list(prefix),
  nowMs: () => objects.nowMs(),
  remove: (keys) => objects.remove(keys),
  close: () => objects.close(),
})
