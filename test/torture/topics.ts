// The topics of the torture, by name.

import type { TortureTopic } from './topic.ts'

export const TORTURE_TOPICS: Readonly<Record<string, () => Promise<{ topic: TortureTopic }>>> = {
  properties: () => import('./topics/properties.ts'),
  bombs: () => import('./topics/bombs.ts'),
  captures: () => import('./topics/captures.ts'),
  damage: () => import('./topics/damage.ts'),
  simulation: () => import('./topics/simulation.ts'),
  crashes: () => import('./topics/crashes.ts'),
  objects: () => import('./topics/objects.ts'),
  cluster: () => import('./topics/cluster.ts'),
  'http-fuzz': () => import('./topics/http-fuzz.ts'),
  leavers: () => import('./topics/leavers.ts'),
  'odd-requests': () => import('./topics/odd-requests.ts'),
  'slow-clients': () => import('./topics/slow-clients.ts'),
  'many-connections': () => import('./topics/many-connections.ts'),
  soak: () => import('./topics/soak.ts'),
  record: () => import('./topics/record.ts'),
  'record-soak': () => import('./topics/record-soak.ts'),
}
