// If the answer to a commit is lost, the program finds out whether the commit took effect. Listeners get the markets
// that change.

import { describe, expect, test } from 'bun:test'
import type { Socket } from 'bun'
import { makeEmptyPostgres } from '../../../test/support/accounts.ts'
import { entryKey, keyOf } from '../../rows/keys.ts'
import { revisionOf } from '../../rows/rows.ts'
import type { NamedMarket } from '../cluster-rows.ts'
import { Postgres } from './connection.ts'
import { openPostgresRows } from './postgres-rows.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text.padEnd(8, '.'), 'latin1'))
const KEY = keyOf('z', 'tried')

async function opened() {
  const empty = (await makeEmptyPostgres())!
  const settings = { url: empty.url, schema: 'backbook', timeoutMs: 5_000 }
  const rows = await openPostgresRows(settings, { mayWrite: true })
  const postgres = new Postgres(settings)
  return {
    ...{ settings, rows, postgres },
    async [Symbol.asyncDispose]() {
      await Promise.all([rows.close(), postgres.close()])
      await empty[Symbol.asyncDispose]()
    },
  }
}

/** Returns a relay to PostgreSQL that can break before the answer to a commit. */
function lossyRelay(url: string) {
  const { hostname, port } = new URL(url)
  let [isLosing, lost] = [false, 0]
  type RelayState = { server?: Socket }
  const listener = Bun.listen<RelayState>({
    ...{ hostname: '127.0.0.1', port: 0, data: {} },
    socket: {
      async open(client) {
        client.data = {}
        client.pause()
        client.data.server = await Bun.connect({
          ...{ hostname, port: Number(port) },
          socket: {
            data: (_, answer) => void client.write(answer),
            close: () => void client.end(),
          },
        })
        client.resume()
      },
      data(client, message) {
        client.data.server!.write(message)
        if (!isLosing || !message.includes('COMMIT')) return
        isLosing = false
        lost++
        client.terminate()
      },
      close: (client) => void client.data.server?.end(),
    },
  })
  const relayUrl = new URL(url)
  relayUrl.hostname = '127.0.0.1'
  relayUrl.port = String(listener.port)
  return {
    url: relayUrl.href,
    /** Breaks once the server has received the next COMMIT. */
    loseNext() {
      isLosing = true
    },
    lost: () => lost,
    stop: () => listener.stop(true),
  }
}

const suite = () => {
  test('a transaction whose connection breaks before its end does not count as a commit', async () => {
    await using place = await opened()
    const { rows, postgres } = place
    const broken = postgres.write(async (sql) => {
      await sql`INSERT INTO catalogue VALUES (${Buffer.from(KEY, 'latin1')}, ${bytes('lost')})`
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`
    })
    expect(await broken.catch((error) => error)).toMatchObject({ code: 'store_unavailable' })
    expect(await rows.get([KEY])).toEqual([undefined])
  })

  test('a transaction whose answer is lost after its end is found to have taken effect', async () => {
    await using place = await opened()
    const { rows, settings } = place
    const lossy = lossyRelay(settings.url)
    const postgres = new Postgres({ ...settings, url: lossy.url })
    const answer = await postgres.write(async (sql) => {
      await sql`INSERT INTO catalogue VALUES (${Buffer.from(KEY, 'latin1')}, ${bytes('kept')})`
      lossy.loseNext()
      return 'done'
    })
    expect([answer, lossy.lost()]).toEqual(['done', 1])
    expect((await rows.get([KEY]))[0]).toEqual(bytes('kept'))
    await postgres.close()
    lossy.stop()
  })

  test('listeners get the markets whose entries change, whatever their names', async () => {
    await using place = await opened()
    const { rows } = place
    const changed: NamedMarket[] = []
    const stop = await rows.listen({
      changed: (markets) => void changed.push(...markets),
      lost: () => undefined,
      watching: () => undefined,
    })
    const names = [
      'KX',
      'é / %',
      'a\nb',
      '\u{1f0a1}',
      ...Array.from({ length: 1_000 }, (_, number) => `MARKET-${number}`),
    ]
    const keys = names.map((market) => entryKey('kalshi', market))
    const expected = keys.map((key) => ({ key, revision: revisionOf(undefined) }))
    await rows.commit({ expect: expected, put: keys.map((key) => ({ key, value: bytes('1') })), remove: [] })
    for (let tries = 0; changed.length < names.length && tries < 500; tries++) await Bun.sleep(10)
    expect(changed).toEqual(names.map((market) => ({ venue: 'kalshi', market })))
    await stop()
  })

  test('a snapshot does not see commits after its first query', async () => {
    await using place = await opened()
    const { rows } = place
    await rows.snapshot(async (moment) => {
      expect(await moment.get([KEY])).toEqual([undefined])
      await rows.commit({ expect: [], put: [{ key: KEY, value: bytes('new') }], remove: [] })
      expect(await moment.get([KEY])).toEqual([undefined])
    })
    expect((await rows.get([KEY]))[0]).toBeDefined()
  })

  test('a catalogue of another version is refused, with the way to load it', async () => {
    await using place = await opened()
    const { settings, postgres } = place
    await postgres.write((sql) => sql.unsafe('CREATE TABLE counters (name text, value bigint)'))
    const failure = await openPostgresRows(settings, { mayWrite: true }).catch((error) => error)
    expect(failure.message).toContain(
      'The catalogue in the schema backbook has format 1, and this program accepts format 3',
    )
  })
}

if (process.env['POSTGRES_TEST_URL'] !== undefined) describe('rows in PostgreSQL', suite)
else describe.skip('rows in PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)
