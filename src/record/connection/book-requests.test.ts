// Tests books that are requested from REST until one fits between the messages of a socket.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { RestError, type RestRequest } from '../rest/rest-host.ts'
import { BookRequests } from './book-requests.ts'
import type { BookSource } from './venue-protocol.ts'

/** `fits` says for each response body in turn whether it fits; `failure` is the error that REST returns instead. */
function scene(fits: boolean[], failure?: RestError) {
  const time = new FakeTime(0)
  const requested: string[] = []
  const read: string[] = []
  const noted: [string, object][] = []
  const get = <Read>({ path, read: parse }: RestRequest<Read>) => {
    requested.push(path)
    if (failure !== undefined) return Promise.reject(failure)
    return Promise.resolve({ body: path, read: parse(path) as Read, receivedNs: 0n })
  }
  const source: BookSource = {
    rest: { get },
    path: (book) => `/${book}`,
    isBook: () => true,
    settleMs: 500,
    attempts: 3,
    waitMs: () => 100,
  }
  const session = {
    beginBook: (book: string) => book !== 'over',
    readBook: (_: string, body: string) => {
      read.push(body)
      return fits.shift() ?? true
    },
  }
  const requests = new BookRequests(source, time.timers, session, (name, fields) => noted.push([name, fields!]))
  return { time, requested, read, noted, requests }
}

test('a book is requested once at a time, and read once the socket is as far as REST', async () => {
  const { time, requested, read, requests } = scene([])
  requests.ask(['A', 'A'])
  await time.advance(499)
  requests.ask(['A'])
  expect([requested, read]).toEqual([['/A'], []])
  await time.advance(1)
  expect(read).toEqual(['/A'])
  requests.ask(['A'])
  await time.advance(500)
  expect(read).toEqual(['/A', '/A'])
})

test('a body that does not fit is requested again after a pause, until the last attempt', async () => {
  const { time, read, noted, requests } = scene([false, false, false])
  requests.ask(['A'])
  await time.advance(500)
  expect(read).toHaveLength(1)
  await time.advance(600)
  expect([read.length, noted]).toEqual([2, []])
  await time.advance(10_000)
  expect([read.length, noted]).toEqual([3, [['rest_book_unusable', { book: 'A', tries: 3 }]]])
})

test('books that are not needed are not requested, and refusals of REST are noted', async () => {
  const { time, requested, noted, requests } = scene([], new RestError('refused', 404, 'the answer was 404'))
  requests.ask(['over', 'A'])
  await time.advance(1_000)
  expect([requested, noted]).toEqual([['/A'], [['rest_book_failed', { book: 'A', because: 'the answer was 404' }]]])
})

test('nothing is read or noted after the end', async () => {
  const { time, read, noted, requests } = scene([])
  requests.ask(['A'])
  await time.advance(100)
  requests.close()
  await time.advance(1_000)
  expect([read, noted, time.waiting]).toEqual([[], [], 0])
})
