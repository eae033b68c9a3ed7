// Wraps objects so that their requests are counted.

import { withCountedReads } from '../../storage/cluster/counted-reads.ts'
import { NodeFigures } from '../../storage/cluster/node-figures.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'

export type Requests = { reads: number; readBytes: number; puts: number }

export function countingObjects(objects: Objects): { objects: Objects; counted: () => Requests } {
  const figures = new NodeFigures()
  let puts = 0
  const put = (key: string, bytes: Uint8Array) => {
    puts++
    return objects.put(key, bytes)
  }
  return { objects: { ...withCountedReads(objects, figures), put }, counted: () => ({ ...figures.counts(), puts }) }
}
