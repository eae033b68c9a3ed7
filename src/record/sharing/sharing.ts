// How a recorder shares markets with others.

import type { Leases } from '../../../storage/cluster/leases/leases.ts'

export type Sharing = {
  leases: Leases
  /** Recorders of a group share its markets. */
  group: string
  /** Another one in each process. */
  holder: string
  pace: { leaseMs: number; turnMs: number }
}

/** A recorder that says nothing for `leaseMs` has lost its shards; whoever takes them looks every `turnMs`. */
export const PACE: Sharing['pace'] = { leaseMs: 8_000, turnMs: 2_000 }
