// Goal: every engine of rows orders keys by bytes, and applies either all of a commit or nothing.

import { expect, test } from 'bun:test'
import { type Row, type Rows, revisionOf } from '../../../storage/rows/rows.ts'
import { onEachEngine } from './each-engine.ts'

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)
const key = (...values: number[]): string => `m${String.fromCharCode(...values)}`
const revision = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const row = (name: string, value: string): Row => ({ key: name, value: revision(value.padEnd(8, '.')) })
const put = (...rows: Row[]) => ({ expect: [], put: rows, remove: [] })
const ABSENT = bytes()

const textOf = (value: Uint8Array | undefined) => value && Buffer.from(value).toString('latin1')
const namesIn = (rows: Row[]) => rows.map((each) => each.key)

async function valuesOf(rows: Rows, ...names: string[]) {
  rows.refresh()
  return (await rows.get(names)).map(textOf)
}

onEachEngine(({ open }) => {
  test('a read by keys returns the values in the order of the keys', async () => {
    await using engine = await open()
    const { rows } = engine
    expect(await rows.get([])).toEqual([])
    await rows.commit(put(row('a', '1'), row('b', '2')))
    expect(await valuesOf(rows, 'b', 'none', 'a')).toEqual(['2.......', undefined, '1.......'])
    expect(await valuesOf(rows, 'b')).toEqual(['2.......'])
  })

  test('a range has byte order, includes its first key and excludes its last', async () => {
    await using engine = await open()
    const { rows } = engine
    const keys = [key(1), key(1, 0), key(1, 0, 255), key(1, 1), key(2), key(127), key(128), key(255, 1)]
    const value = new Uint8Array(8)
    await rows.commit(put(...keys.toReversed().map((each) => ({ key: each, value }))))
    rows.refresh()
    const found = async (from: string, to: string, limit = 100, isReversed = false) => {
      const found = await rows.range({ from, to, limit, isReversed })
      expect(await rows.keys({ from, to, limit, isReversed })).toEqual(namesIn(found))
      return found.map((each) => [...Buffer.from(each.key, 'latin1')].slice(1))
    }
    expect(await found(key(1), key(255, 255))).toEqual(keys.map((each) => [...Buffer.from(each, 'latin1')].slice(1)))
    expect(await found(key(1, 0), key(128))).toEqual([[1, 0], [1, 0, 255], [1, 1], [2], [127]])
    expect(await found(key(1, 0), key(128), 2)).toEqual([
      [1, 0],
      [1, 0, 255],
    ])
    expect(await found(key(1, 0), key(128), 2, true)).toEqual([[127], [2]])
    expect(await found(key(1, 0), key(128), 100, true)).toEqual([[127], [2], [1, 1], [1, 0, 255], [1, 0]])
    expect(await found(key(3), key(4), 100, true)).toEqual([])
    expect(await found(key(3), key(127))).toEqual([])
  })

  test('a commit puts and removes at once, and only if the rows are as expected', async () => {
    await using engine = await open()
    const { rows } = engine
    await rows.commit(put(row('a', 'first'), row('b', 'first'), row('c', 'first')))
    rows.refresh()
    const [a] = await rows.get(['a'])
    const expected = { key: 'a', revision: revisionOf(a) }
    const change = {
      expect: [expected],
      put: [row('a', 'second'), row('d', 'second')],
      remove: ['b', 'none'],
    }
    expect(await rows.commit(change)).toEqual([])
    expect(await valuesOf(rows, 'a', 'b', 'c', 'd')).toEqual(['second..', undefined, 'first...', 'second..'])
    // The same commit again: the revision that it expects is out of date.
    const absent = { key: 'new', revision: ABSENT }
    const again = { expect: [absent, expected], put: [row('a', 'third'), row('new', 'x')], remove: ['c'] }
    expect(await rows.commit(again)).toEqual([1])
    expect(await valuesOf(rows, 'a', 'c', 'new')).toEqual(['second..', 'first...', undefined])
  })

  test('a commit is refused if a row exists that it expects to be absent, and the other way round', async () => {
    await using engine = await open()
    const { rows } = engine
    await rows.commit({ expect: [{ key: 'a', revision: ABSENT }], put: [row('a', '1')], remove: [] })
    rows.refresh()
    const expect_ = [
      { key: 'b', revision: ABSENT },
      { key: 'a', revision: ABSENT },
      { key: 'none', revision: revision('12345678') },
    ]
    const refused = await rows.commit({ expect: expect_, put: [row('a', '2'), row('b', '2')], remove: [] })
    expect(refused).toEqual([1, 2])
    expect(await valuesOf(rows, 'a', 'b')).toEqual(['1.......', undefined])
  })

  test('only one of two commits with the same expectation is applied', async () => {
    await using engine = await open()
    const { rows } = engine
    const names = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    for (const round of ['1', '2', '3']) {
      rows.refresh()
      const before = await rows.get(names)
      const expect_ = names.map((name, index) => ({ key: name, revision: revisionOf(before[index]) }))
      const commits = ['a', 'b', 'c'].map((writer, index) => ({
        expect: index === 1 ? expect_.toReversed() : expect_,
        put: names.map((name) => row(name, writer + round)),
        remove: [],
      }))
      const refused = await Promise.all(commits.map((commit) => rows.commit(commit)))
      expect(refused.filter((each) => each.length === 0)).toHaveLength(1)
      const values = new Set(await valuesOf(rows, ...names))
      expect(values.size).toBe(1)
    }
  })

  test('many rows with large values are one commit', async () => {
    await using engine = await open()
    const { rows } = engine
    const large = Array.from({ length: 3_000 }, (_, index) => ({
      key: `many ${String(index).padStart(4, '0')}`,
      value: new Uint8Array(8 + (index % 700)).fill(index),
    }))
    await rows.commit(put(...large.toReversed()))
    rows.refresh()
    const found = await rows.range({ from: 'many ', to: 'many!', limit: 5_000 })
    expect(namesIn(found)).toEqual(large.map((each) => each.key))
    expect(found.every(({ value }, index) => Buffer.compare(value, large[index]!.value) === 0)).toBe(true)
  })

  test('a reader gets its own copy', async () => {
    await using engine = await open()
    const { rows } = engine
    await rows.commit(put(row('a', '1')))
    rows.refresh()
    const [value] = await rows.get(['a'])
    value!.fill(0)
    expect(await valuesOf(rows, 'a')).toEqual(['1.......'])
  })
})
