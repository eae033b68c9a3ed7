// A data folder as a server leaves it: records, a key and rejects. Also a place for its backup.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { openStore } from '../../../storage/open-store.ts'
import { kalshiTrade, TICKER } from '../../model/lines.ts'
import { TestStore } from '../store.ts'
import { type FolderFiles, readFolder, writeFolder } from './copied-folder.ts'

/** Returns lines of trades, from the n-th on, whose identifiers do not compress. */
export const tradeLines = (from: number, count: number, ticker = TICKER) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify(kalshiTrade(from + n, `${Bun.hash(`${from + n}`)}`)).replaceAll(TICKER, ticker),
  )

export type Data = { data: string; backup: string; folder: string; secret: string } & Disposable

/** Makes a data folder with records, a key and rejects, and names a place for its backup. All stores of one process are
 *  copies, so they have the same secret for cursors. */
export async function dataFolder(): Promise<Data> {
  stored ??= storedFiles()
  const data = mkdtempSync(join(tmpdir(), 'backbook-test-'))
  writeFolder(data, await stored)
  const accounts = await openAccounts(accountsUrl(null, data))
  const { secret } = await accounts.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })
  await accounts.close()
  const folder = `${data}-out`
  mkdirSync(folder)
  const remove = () => [data, folder].forEach((path) => void rmSync(path, { recursive: true, force: true }))
  return { data, folder, backup: join(folder, 'backup'), secret, [Symbol.dispose]: remove }
}

let stored: Promise<FolderFiles> | undefined

/** Returns the files with the records and the rejects. Each process loads them once. */
async function storedFiles(): Promise<FolderFiles> {
  const store = new TestStore(openStore)
  await store.loadLines('c.ndjson', [...tradeLines(0, 3_000), 'not a message'])
  await store.store.close()
  rmSync(join(store.folder, 'c.ndjson'))
  const files = readFolder(store.folder)
  rmSync(store.folder, { recursive: true })
  return files
}
