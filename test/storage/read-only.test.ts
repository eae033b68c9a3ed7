// Goal: a store that cannot be opened for reading is repaired first. A store needs few resources of the machine.

import { expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { NotReadable } from '../../storage/lmdb/environment.ts'
import { openStore, openStoreToRead } from '../../storage/open-store.ts'
import { runInShell } from '../support/programs/program.ts'
import { temporaryFolder } from '../support/server.ts'

const PAGE = 4_096
const EVENT = { event: { slug: 'rain', title: 'Rain?' }, markets: [] }

/** Makes a folder with a store that knows one slug. Returns the folder and the store's file. */
async function madeStore(): Promise<{ path: string; data: string } & Disposable> {
  const folder = temporaryFolder()
  const store = openStore(folder.path)
  await store.catalogue.putSlugs({ events: [EVENT], markets: [] })
  await store.close()
  return Object.assign(folder, { data: join(folder.path, 'store', 'data.mdb') })
}

test('a read-only thread creates nothing; openStoreToRead creates a missing store', async () => {
  using folder = temporaryFolder()
  expect(() => openStore(folder.path, { readOnly: true })).toThrow(NotReadable)
  const store = await openStoreToRead(folder.path)
  expect(await store.catalogue.cursorSecret()).toHaveLength(32)
  await expect(store.catalogue.putSlugs({ events: [EVENT], markets: [] })).rejects.toThrow()
  await store.close()
})

test('data that a crashed machine had not flushed is not read', async () => {
  using folder = await madeStore()
  const bytes = readFileSync(folder.data)
  const newest = bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(PAGE + 152) ? 0 : PAGE
  const stored = Number(bytes.readBigUInt64LE(newest + 152))
  // LMDB leaves this state between a commit and its flush: the last flushed state is in the middle of the first page.
  const flushed = Buffer.from(bytes.subarray(PAGE - newest, PAGE - newest + 168))
  const file = openSync(folder.data, 'r+')
  writeSync(file, flushed.subarray(24), 0, 144, PAGE / 2 + 24)
  writeSync(file, Uint8Array.of(0x08, 0x10), 0, 2, newest + 52)
  const read = async () => {
    const store = await openStoreToRead(folder.path)
    const { transaction } = { transaction: (await store.catalogue.slug('rain'))?.event?.title }
    await store.close()
    return transaction
  }
  // Without a restart of the machine, everything is there.
  expect(await read()).toBe('Rain?')
  writeSync(file, Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 0), 0, 8, newest + 160)
  expect(() => openStore(folder.path, { readOnly: true })).toThrow(NotReadable)
  expect(await read()).toBeUndefined()
  closeSync(file)
  const after = readFileSync(folder.data)
  const last = Math.max(Number(after.readBigUInt64LE(152)), Number(after.readBigUInt64LE(PAGE + 152)))
  expect(last).toBeLessThan(stored)
})

test('only their owner can read its files, whatever the umask', async () => {
  using folder = temporaryFolder()
  const made = await runInShell(
    `umask 022; backbook ingest <(echo '{"slug":"s","title":"T","markets":[]}') --data d`,
    folder.path,
  )
  expect(made.err).toBe('')
  for (const name of ['data.mdb', 'lock.mdb']) {
    expect(statSync(join(folder.path, 'd/store', name)).mode & 0o777).toBe(0o600)
  }
})

test('a limit of address space makes the map smaller, or the error names it', async () => {
  using folder = await madeStore()
  const markets = (kilobytes: number) =>
    runInShell(`ulimit -v ${kilobytes}; backbook markets --data ${folder.path}`, folder.path)
  expect(await markets(12_000_000)).toMatchObject({ exitCode: 0 })
  // A sparse file; only its size counts.
  truncateSync(folder.data, 20e9)
  const { exitCode, err } = await markets(12_000_000)
  expect(exitCode).toBe(1)
  expect(err).toMatch(/this process may map [\d.]+ MB, and the store needs 2000\d\.\d MB: raise the limit .*ulimit -v/)
})
