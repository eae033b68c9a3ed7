// A client does not see messages that name folders and hosts. The failure for another format names the way to convert
// it.

import { expect, test } from 'bun:test'
import { DataError, otherFormat } from './failures.ts'

test('messages that name folders and hosts are for the operator', () => {
  const full = new DataError('disk_full', 'The disk of /srv/books is full')
  expect([full.message, full.forClients]).toEqual([
    'The disk of /srv/books is full',
    'The disk of the server is full: try again later',
  ])
  expect(new DataError('market_not_stored', 'Nothing is stored of KXA').forClients).toBe('Nothing is stored of KXA')
  expect(new DataError('block_corrupt', 'a', 'b').forClients).toBe('b')
})

test('another format', () => {
  const error = otherFormat('the store in /srv', 2, 4)
  expect(error.code).toBe('store_unavailable')
  expect(error.message).toContain(
    'the store in /srv has format 2, and this program accepts format 4: "backbook export"',
  )
})
