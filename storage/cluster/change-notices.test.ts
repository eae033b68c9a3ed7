// While changes are watched, a stamp stays the same until its market may have changed, for every thread.

import { expect, test } from 'bun:test'
import { ChangeNotices, noticeMemory } from './change-notices.ts'
import { nameOf } from './cluster-rows.ts'

const NAME = nameOf({ venue: 'kalshi', market: 'KXA' })
const changed = (market: string) => [{ venue: 'kalshi', market }] as Parameters<ChangeNotices['changed']>[0]

test('a change is seen by the threads that share the memory', () => {
  const memory = noticeMemory()
  const [writer, reader] = [new ChangeNotices(memory), new ChangeNotices(memory)]
  writer.watching()
  const stamp = reader.stampOf(NAME)
  expect(stamp).not.toBeNull()
  expect(reader.stampOf(NAME)).toBe(stamp)
  writer.changed(changed('KXA'))
  expect(reader.stampOf(NAME)).not.toBe(stamp)
})

test('without watching nothing is known to be current, and watching again makes all stamps new', () => {
  const notices = new ChangeNotices(noticeMemory())
  expect([notices.isNotified, notices.stampOf(NAME)]).toEqual([false, null])
  notices.watching()
  const stamp = notices.stampOf(NAME)
  notices.lost()
  expect([notices.isNotified, notices.stampOf(NAME)]).toEqual([false, null])
  notices.watching()
  expect(notices.stampOf(NAME)).not.toBe(stamp)
})
