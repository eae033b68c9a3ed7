// Connects to the PostgreSQL of CATALOGUE_URL. Prints whether the connection is encrypted: "encrypted", "plain", or the
// error.

import { Postgres } from '../../../storage/cluster/postgres/connection.ts'

const postgres = new Postgres({ url: process.env['CATALOGUE_URL']!, schema: 'backbook', timeoutMs: 10_000 })
console.log(
  await postgres
    .ask((sql) => sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)
    .then(
      ([row]) => (row.ssl ? 'encrypted' : 'plain'),
      (error) => error.message,
    ),
)
await postgres.close()
