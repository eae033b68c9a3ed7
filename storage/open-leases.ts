// Opens the leases of a cluster when they are first asked for: a recorder begins while the database is away, too.

import type { Leases } from './cluster/leases/leases.ts'
import type { ClusterSettings } from './cluster/settings/cluster-settings.ts'

export function openLeases({ catalogue }: ClusterSettings): Leases {
  let opening: Promise<Leases> | undefined
  const opened = (): Promise<Leases> => {
    // Whoever has a store in a folder loads no client of others.
    opening ??= import('./cluster/postgres/postgres-leases.ts')
      .then(({ openPostgresLeases }) => openPostgresLeases(catalogue))
      .catch((error: unknown) => {
        opening = undefined
        throw error
      })
    return opening
  }
  return {
    prepare: async (...given) => (await opened()).prepare(...given),
    turn: async (...given) => (await opened()).turn(...given),
    take: async (...given) => (await opened()).take(...given),
    giveBack: async (...given) => (await opened()).giveBack(...given),
    leave: async (...given) => (await opened()).leave(...given),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}
