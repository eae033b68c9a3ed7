// Goal: what PostgreSQL finds is what the double of it finds, whatever is stored, removed and said; and those who write
// at once neither wait for one another for ever nor lose what one of them says.

import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import { MemoryObjects } from '../../../storage/cluster/objects/memory-objects.ts'
import { openPostgresDatabase } from '../../../storage/cluster/postgres/postgres-database.ts'
import { memoryStore } from '../../../storage/memory/memory-store.ts'
import type { Store } from '../../../storage/open-store.ts'
import { Deeds, everything } from '../../support/finding/finding-deeds.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']

/** With so many nodes on one catalogue in a schema of its own, which is gone afterwards. */
async function withNodes(count: number, run: (nodes: Store[]) => Promise<void>): Promise<void> {
  const schema = `finding_${crypto.randomUUID().replaceAll('-', '')}`
  const nodes: Store[] = []
  const objects = new MemoryObjects()
  const settings = { url: POSTGRES!, schema, timeoutMs: 60_000 }
  try {
    while (nodes.length < count) {
      const database = await openPostgresDatabase(settings, { mayWrite: true })
      nodes.push(clusterStore({ objects, database, isEachCallChecked: true }))
    }
    await run(nodes)
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
    const sql = new SQL(POSTGRES!, { max: 1 })
    await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`
    await sql.close()
  }
}

const suite = () => {
  test.each([1, 2, 3, 4])('agrees with a look at everything, seed %d', (seed) =>
    withNodes(1, async ([node]) => {
      const memory = memoryStore()
      const deeds = new Deeds(seed, [memory, node!])
      for (let count = 0; count < 100; count++) {
        await deeds.next()
        if (count % 10 === 9) expect(await everything(node!)).toEqual((await everything(memory)) as object)
      }
    }),
  )
}

if (POSTGRES === undefined) test.skip('finding in PostgreSQL: POSTGRES_TEST_URL is not set', () => undefined)
else describe('finding in PostgreSQL', suite)
