// GET /ready: whether a load balancer should send requests here. A server is not ready while it stops, while a store in
// a folder cannot be read, or before the engines of a cluster have answered once. After that a node stays ready: a
// failed engine fails for all nodes, and each node can still answer from its caches.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { readyAnswer } from '../answers/server-state.ts'
import type { EngineState } from '../observe/stats/engine-probe.ts'
import { operation } from '../openapi/operation.ts'
import { assertReadable } from './health.ts'

type Dependencies = {
  catalogue: Pick<Catalogue, 'lastRecordMs'>
  engines: (() => Promise<EngineState[]>) | undefined
  isDraining: (() => boolean) | undefined
}

const about = operation({
  id: 'ready',
  summary: 'Whether a balancer should send requests here',
  tag: 'service',
  access: 'public',
  answer: () => ({ description: 'Requests are welcome', schema: readyAnswer }),
  failures: ['store_unavailable', 'blocks_unavailable', 'overloaded'],
})

export const readyRoutes = ({ catalogue, engines, isDraining }: Dependencies) => {
  let haveBeenUp = false
  return new Elysia().get(
    '/ready',
    async () => {
      if (isDraining?.()) throw new DataError('overloaded', 'The server is stopping, and should get no more requests')
      if (haveBeenUp) return { status: 'ready' }
      const states = (await engines?.()) ?? []
      if (states.length === 0) await assertReadable(catalogue)
      else assertUp(states)
      haveBeenUp = states.length > 0
      return { status: 'ready' }
    },
    { detail: about },
  )
}

function assertUp(states: readonly EngineState[]): void {
  const down = (name: EngineState['name']) => states.some((state) => state.name === name && !state.isUp)
  if (down('catalogue')) throw new DataError('store_unavailable', 'The catalogue does not answer')
  if (down('objects')) throw new DataError('blocks_unavailable', 'The bucket does not answer')
}
