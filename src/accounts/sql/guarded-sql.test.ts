// Tests the guard around SQL statements: each statement goes through it, a list of values does not.

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type Guard, guardedSql } from './guarded-sql.ts'

test('statements and their values pass the guard, and lists of values become part of a statement', async () => {
  await using sql = new SQL({ adapter: 'sqlite', filename: ':memory:' })
  let guarded = 0
  const guard: Guard = (query) => {
    guarded++
    return query(sql)
  }
  const read = guardedSql(guard, () => sql)
  await read.unsafe('CREATE TABLE numbers (n INTEGER)')
  await read`INSERT INTO numbers VALUES (${1}), (${2}), (${3})`
  expect(guarded).toBe(2)
  const list = read([1, 3])
  expect(guarded).toBe(2)
  const rows: { n: number }[] = await read`SELECT n FROM numbers WHERE n IN ${list} ORDER BY n`
  expect(rows.map(({ n }) => n)).toEqual([1, 3])
  expect(guarded).toBe(3)
})

test('the caller gets the error that the guard throws', async () => {
  await using sql = new SQL({ adapter: 'sqlite', filename: ':memory:' })
  const refuse: Guard = () => Promise.reject(new Error('too slow'))
  const read = guardedSql(refuse, () => sql)
  await expect(read`SELECT 1`).rejects.toThrow('too slow')
  await expect(read.unsafe('SELECT 1')).rejects.toThrow('too slow')
})
