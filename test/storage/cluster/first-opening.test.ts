// Goal: the first process that opens a new catalogue makes its tables, however many processes open it at once.

import { expect, test } from 'bun:test'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { SECRET_KEY } from '../../../storage/rows/keys.ts'
import { isPresent } from '../../run/missing.ts'
import { makeEmptyPostgres } from '../../support/accounts.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
if (!POSTGRES) isPresent(false, 'PostgreSQL (.ci/with-postgres)')

test.skipIf(!POSTGRES)(
  'many processes that open a new catalogue at once all succeed',
  async () => {
    for (let round = 0; round < 3; round++) {
      await using place = await makeEmptyPostgres()
      const settings = { url: place!.url, schema: 'backbook', timeoutMs: 20_000 }
      const opened = await Promise.all(Array.from({ length: 6 }, () => openPostgresRows(settings, { mayWrite: true })))
      const secrets = await Promise.all(opened.map((each) => each.get([SECRET_KEY])))
      expect(new Set(secrets.map(([secret]) => Buffer.from(secret!).toString('hex'))).size).toBe(1)
      await Promise.all(opened.map((each) => each.close()))
    }
  },
  60_000,
)
