// Goal: the cache returns stored pieces unchanged and stays within its size limit; whatever happens to its file, no
// answer fails because of it.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCounters } from '../node-counters.ts'
import { openPieceCache } from './piece-cache.ts'

const ROOM = 8 << 20
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backbook-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const piece = (index: number, length = 100_000) => ({
  name: `piece ${index}`,
  bytes: new Uint8Array(length).fill(index % 251),
})
const filesIn = (path: string) => (readdirSync(path, { recursive: true }) as string[]).map((name) => join(path, name))
const bytesIn = (path: string) => filesIn(path).reduce((sum, file) => sum + statSync(file).size, 0)

describe('a cache of pieces', () => {
  test('returns the stored pieces, also after it was opened again', async () => {
    const first = openPieceCache(folder, ROOM)
    first.put([piece(1), piece(2)])
    expect(new Uint8Array(first.get('piece 1')!)).toEqual(piece(1).bytes)
    await first.close()
    const counters = new NodeCounters()
    const again = openPieceCache(folder, ROOM, counters)
    expect(new Uint8Array(again.get('piece 2')!)).toEqual(piece(2).bytes)
    expect(again.get('piece 3')).toBeUndefined()
    expect(counters.counts()).toMatchObject({ hits: 1, misses: 1, failures: 0 })
    await again.close()
  })

  test('stays within its size limit, and keeps the pieces that are read', async () => {
    const counters = new NodeCounters()
    const cache = openPieceCache(folder, ROOM, counters)
    for (let index = 0; index < 400; index++) {
      cache.put([piece(index)])
      expect(cache.get('piece 0')).toBeDefined()
      expect(cache.get(`piece ${index}`)).toBeDefined()
    }
    expect(cache.get('piece 100')).toBeUndefined()
    expect(counters.counts().failures).toBe(0)
    await cache.close()
    expect(bytesIn(folder)).toBeLessThan(1.5 * ROOM + (1 << 20))
  })

  test('leaves out a piece that is larger than half of its room', async () => {
    const cache = openPieceCache(folder, ROOM)
    cache.put([piece(1), piece(2, ROOM), piece(3)])
    expect([1, 2, 3].map((index) => cache.get(`piece ${index}`) !== undefined)).toEqual([true, false, true])
    await cache.close()
  })

  test('starts empty if its file is invalid', async () => {
    const first = openPieceCache(folder, ROOM)
    first.put([piece(1)])
    await first.close()
    const [file] = filesIn(folder).filter((name) => name.endsWith('data.mdb'))
    writeFileSync(file!, Buffer.alloc(20_000, 7))
    const again = openPieceCache(folder, ROOM)
    expect(again.get('piece 1')).toBeUndefined()
    again.put([piece(1)])
    expect(again.get('piece 1')).toBeDefined()
    await again.close()
  })

  test('starts empty if a node ended without closing it, and is kept while a node uses it', async () => {
    const openNode = () => openPieceCache(folder, ROOM, new NodeCounters(), true)
    const marks = () => readdirSync(folder).filter((name) => name.endsWith(`.${process.pid}`))
    const first = openNode()
    first.put([piece(1)])
    expect(marks()).toHaveLength(1)
    const [mark] = marks()
    await first.close()
    expect(marks()).toEqual([])

    const living = join(folder, mark!.replace(/[0-9]+$/, `${process.ppid}`))
    writeFileSync(living, '')
    const second = openNode()
    expect(second.get('piece 1')).toBeDefined()
    await second.close()
    rmSync(living)

    writeFileSync(join(folder, mark!), '')
    const command = openPieceCache(folder, ROOM)
    expect(command.get('piece 1')).toBeDefined()
    await command.close()
    const third = openNode()
    expect(third.get('piece 1')).toBeUndefined()
    await third.close()
    expect(marks()).toEqual([])
  })

  test('stores nothing if its folder cannot be written', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const counters = new NodeCounters()
    const cache = openPieceCache(join(file, 'cache'), ROOM, counters)
    cache.put([piece(1)])
    expect(cache.get('piece 1')).toBeUndefined()
    expect(counters.counts().failures).toBeGreaterThan(0)
    await cache.close()
  })

  test('drops pieces from before the last start of the machine', async () => {
    mkdirSync(join(folder, 'pieces-earlier'))
    const cache = openPieceCache(folder, ROOM)
    cache.put([piece(1)])
    await cache.close()
    expect(readdirSync(folder).some((name) => name.includes('earlier'))).toBe(false)
  })
})
