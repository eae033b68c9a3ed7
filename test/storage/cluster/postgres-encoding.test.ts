// Goal: a catalogue is made only where every text has room.

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresDatabase } from '../../../storage/cluster/postgres/postgres-database.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']

const refuses = async () => {
  const name = `latin_${crypto.randomUUID().replaceAll('-', '')}`
  const sql = new SQL(POSTGRES!, { max: 1 })
  await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
  try {
    const url = new URL(POSTGRES!)
    url.pathname = name
    const settings = { url: url.href, schema: 'backbook', timeoutMs: 60_000 }
    const opened = openPostgresDatabase(settings, { mayWrite: true })
    await expect(opened).rejects.toThrow('has the encoding LATIN1: make one with the encoding UTF8')
  } finally {
    await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
    await sql.close()
  }
}

if (POSTGRES === undefined) test.skip('the encoding of a catalogue: POSTGRES_TEST_URL is not set', () => undefined)
else test('a database of another encoding than UTF-8 is refused', refuses)
