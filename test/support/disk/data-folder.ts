// A data folder as a server leaves it: records, a key and rejects, and a place for its backup.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { kalshiTrade, TICKER } from '../../model/lines.ts'
import { TestStore } from '../store.ts'

/** Trades whose identifiers do not compress, from the n-th on. */
export const tradeLines = (from: number, count: number, ticker = TICKER) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify(kalshiTrade(from + n, `${Bun.hash(`${from + n}`)}`)).replaceAll(TICKER, ticker),
  )

export type Data = { data: string; backup: string; folder: string; secret: string } & Disposable

/** A data folder with records, a key and rejects, and where its backup would be. */
export async function dataFolder(): Promise<Data> {
  const store = new TestStore()
  await store.loadLines('c.ndjson', [...tradeLines(0, 3_000), 'not a message'])
  await store.store.close()
  rmSync(join(store.folder, 'c.ndjson'))
  const accounts = await openAccounts(accountsUrl(null, store.folder))
  const { secret } = await accounts.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })
  await accounts.close()
  const folder = join(store.folder, '..', `${store.folder.split('/').at(-1)}-out`)
  mkdirSync(folder)
  const remove = () => [store.folder, folder].forEach((path) => void rmSync(path, { recursive: true, force: true }))
  return { data: store.folder, folder, backup: join(folder, 'backup'), secret, [Symbol.dispose]: remove }
}
