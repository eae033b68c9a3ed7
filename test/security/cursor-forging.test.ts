// A cursor is a position that the server gave. A client cannot change a bit of it, use a part of it elsewhere, or make
// one. Tests a real server, its store and its backups.

import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { startServer } from '../../src/commands/server/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import { renewCursorSecret } from '../../storage/lmdb/environment.ts'
import { openStore } from '../../storage/open-store.ts'
import { loadCapture } from '../../workers/load/load-capture.ts'
import { DAY, NOON, TICKER } from '../model/lines.ts'
import { type Data, dataFolder, tradeLines } from '../support/disk/data-folder.ts'

const OTHER_TICKER = 'KXTEST-2'
const LIMIT = 100

type Page = { status: number; code: string | undefined; cursor: string; records: number }

async function serve(data: string) {
  const variables = { WORKER_THREADS: '1', LOG_LEVEL: 'silent' }
  const server = await startServer({ ...readConfig({ flags: {}, variables, file: undefined }, 1), data, port: 0 })
  const page = async (secret: string, cursor?: string, changes: Record<string, string> = {}): Promise<Page> => {
    const parameters = {
      ticker: TICKER,
      start_timestamp: `${NOON}`,
      end_timestamp: `${NOON + 60_000}`,
      limit: `${LIMIT}`,
      ...changes,
    }
    const query = new URLSearchParams(cursor === undefined ? parameters : { ...parameters, cursor })
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${server.url}/api/v1/kalshi/market/data/range?${query}`, { headers })
    const body = (await response.json()) as { code?: string; next_cursor?: string; data_count?: number }
    return { status: response.status, code: body.code, cursor: body.next_cursor ?? '', records: body.data_count ?? 0 }
  }
  const key = async (more = ''): Promise<string> => {
    const made = await fetch(`${server.url}/keys?user_id=bob&name=n${more}`, { method: 'POST' })
    return ((await made.json()) as { data: { api_key: string } }).data.api_key
  }
  return { page, key, [Symbol.asyncDispose]: () => server.stop() }
}

/** Makes a data folder with the same trades in two markets. */
async function twoMarkets(): Promise<Data> {
  const given = await dataFolder()
  const store = openStore(given.data)
  const path = join(given.folder, 'other.ndjson')
  await Bun.write(path, tradeLines(0, 3_000, OTHER_TICKER).join('\n'))
  await loadCapture(store, given.data, path, () => {})
  await store.close()
  return given
}

const REFUSED = { status: 400, code: 'cursor_invalid', records: 0 }

test('a cursor with a changed bit, a cut end or another spelling is refused', async () => {
  using given = await dataFolder()
  await using server = await serve(given.data)
  const { cursor } = await server.page(given.secret)
  expect(await server.page(given.secret, cursor)).toMatchObject({ status: 200, records: LIMIT })
  const bytes = Buffer.from(cursor, 'base64url')
  const forged = new Set<string>()
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    forged.add(flipped.toString('base64url'))
  }
  for (let length = 0; length < bytes.length; length++) {
    forged.add(bytes.subarray(0, length).toString('base64url'))
    forged.add(bytes.subarray(bytes.length - length).toString('base64url'))
  }
  for (let length = 0; length < cursor.length; length++) forged.add(cursor.slice(0, length))
  for (const end of ['=', '==', 'A', '.', '\0', '\n', '%00', ' ', '/', cursor]) forged.add(cursor + end)
  for (const start of ['=', ' ', '\n', '\ufeff', 'A']) forged.add(start + cursor)
  forged.add(bytes.toString('base64'))
  forged.add(bytes.toString('hex'))
  forged.add(bytes.toString('latin1'))
  forged.delete(cursor)
  expect(forged.size).toBeGreaterThan(400)
  for (const each of forged) {
    const { status, code } = await server.page(given.secret, each)
    expect([each, status, ['cursor_invalid', 'parameters_invalid'].includes(code ?? '')]).toEqual([each, 400, true])
  }
})

test('a cursor made with any secret but the store’s is refused', async () => {
  using given = await dataFolder()
  await using server = await serve(given.data)
  const query = JSON.stringify(['range-cursor-2', '/market/data/range', 'kalshi', TICKER, null, NOON, NOON + 60_000])
  const payload = JSON.stringify([DAY, 0, 1])
  const guesses = [
    Buffer.alloc(0),
    Buffer.alloc(32),
    Buffer.alloc(32, 0xff),
    Buffer.from('secret'),
    Buffer.from(given.secret),
  ]
  for (const guess of guesses) {
    const tag = createHmac('sha256', guess).update(query).update('\0').update(payload).digest().subarray(0, 16)
    const cursor = Buffer.concat([tag, Buffer.from(payload)]).toString('base64url')
    expect(await server.page(given.secret, cursor)).toMatchObject(REFUSED)
  }
  // A cursor made with the right secret is accepted, so the cursors above are refused because of their secret.
  const store = openStore(given.data, { readOnly: true })
  const tag = createHmac('sha256', await store.catalogue.cursorSecret())
    .update(query)
    .update('\0')
    .update(payload)
  await store.close()
  const cursor = Buffer.concat([tag.digest().subarray(0, 16), Buffer.from(payload)]).toString('base64url')
  expect((await server.page(given.secret, cursor)).code).not.toBe('cursor_invalid')
})

test('a cursor is valid only for its market, its window and its store', async () => {
  using given = await twoMarkets()
  using elsewhere = await dataFolder()
  await renewCursorSecret(elsewhere.data)
  await using server = await serve(given.data)
  await using other = await serve(elsewhere.data)
  const { cursor } = await server.page(given.secret)
  const { cursor: later } = await server.page(given.secret, cursor)
  for (const changes of [
    { ticker: OTHER_TICKER },
    { start_timestamp: `${NOON - 1}` },
    { end_timestamp: `${NOON + 60_001}` },
    { start_timestamp: `${NOON - 86_400_000}`, end_timestamp: `${NOON - 1}` },
  ]) {
    expect(await server.page(given.secret, cursor, changes)).toMatchObject(REFUSED)
  }
  expect(await other.page(elsewhere.secret)).toMatchObject({ status: 200, records: LIMIT })
  expect(await other.page(elsewhere.secret, cursor)).toMatchObject(REFUSED)
  const [one, two] = [cursor, later].map((each) => Buffer.from(each, 'base64url'))
  const mixed = Buffer.concat([one!.subarray(0, 16), two!.subarray(16)]).toString('base64url')
  expect(await server.page(given.secret, mixed)).toMatchObject(REFUSED)
})

test('a cursor is no access: not without a key, with another venue’s key, or with a revoked one', async () => {
  using given = await dataFolder()
  await using server = await serve(given.data)
  const { cursor } = await server.page(given.secret)
  expect(await server.page('', cursor)).toMatchObject({ status: 401 })
  expect(await server.page(`bb_${'x'.repeat(43)}`, cursor)).toMatchObject({ status: 401, code: 'key_unknown' })
  expect(await server.page(await server.key('&scopes=polymarket'), cursor)).toMatchObject({ code: 'scope_missing' })
  // Another key that may read the market from the start may also continue from a cursor.
  expect(await server.page(await server.key('&scopes=kalshi'), cursor)).toMatchObject({ status: 200, records: LIMIT })
})

test('a cursor from before a restore is refused after it', async () => {
  using given = await dataFolder()
  let cursor = ''
  {
    await using server = await serve(given.data)
    cursor = (await server.page(given.secret)).cursor
    expect(await server.page(given.secret, cursor)).toMatchObject({ status: 200, records: LIMIT })
  }
  const accountsFile = join(given.data, 'accounts.sqlite')
  await makeBackup({ data: given.data, accountsFile }, given.backup, { verify: false, onProgress: () => {} })
  const restored = join(given.folder, 'restored')
  await restoreBackup(given.backup, restored, { force: false, onProgress: () => {} })
  await using server = await serve(restored)
  const { cursor: own } = await server.page(given.secret)
  expect(await server.page(given.secret, own)).toMatchObject({ status: 200, records: LIMIT })
  expect(await server.page(given.secret, cursor)).toMatchObject(REFUSED)
})
