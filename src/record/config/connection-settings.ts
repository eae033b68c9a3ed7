// Settings of connections that both venues have, with the figures of each.

import { decimal, whole } from './setting-kinds.ts'

/** `unit` is what a connection carries. */
export const connectionSettings = ({ unit, connectionsMax }: { unit: string; connectionsMax: number }) => ({
  per_connection: whole(1, 5_000, { unlessGiven: 200, description: `${unit} on a connection` }),
  connections_max: whole(1, 10_000, {
    unlessGiven: connectionsMax,
    description: 'connections; what does not fit is not recorded, and the status says so',
  }),
  audits_per_second: decimal(0, 1_000, {
    unlessGiven: 1,
    description: 'books that are compared with those of REST, a second; 0 compares none',
  }),
})
