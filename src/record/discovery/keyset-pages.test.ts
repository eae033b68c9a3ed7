// Tests lists that are read page by page.

import { expect, test } from 'bun:test'
import type { RestHost, RestRequest } from '../rest/rest-host.ts'
import { CircleError, fingerprint, objectsIn, pagesOf, textsUnder } from './keyset-pages.ts'

/** Returns a host that answers with these pages, one after the other. */
function hostOf(pages: unknown[]) {
  const paths: string[] = []
  const get = async <Read>({ path, read }: RestRequest<Read>) => {
    paths.push(path)
    const page = read(pages[paths.length - 1])
    if (page === undefined) throw new Error('not of the form')
    return { body: '', read: page, receivedNs: 0n }
  }
  return { host: { get } as unknown as RestHost, paths }
}

async function namesOf(pages: unknown[], path = '/list?limit=2') {
  const { host, paths } = hostOf(pages)
  const names: unknown[] = []
  const request = {
    path,
    list: 'items',
    cursor: { received: 'next', sent: 'after' },
    signal: new AbortController().signal,
  }
  for await (const { entries } of pagesOf(host, { ...request, nameOf: ({ id }) => String(id) })) names.push(...entries)
  return { names: (names as { id: number }[]).map(({ id }) => id), paths }
}

test('a list ends without a cursor, or with that of a last page', async () => {
  const pages = [{ items: [{ id: 1 }], next: 'a&b' }, { items: [{ id: 2 }], next: 'LTE=' }, { items: [] }]
  const { names, paths } = await namesOf(pages)
  expect([names, paths]).toEqual([
    [1, 2],
    ['/list?limit=2', '/list?limit=2&after=a%26b'],
  ])
  expect((await namesOf([{ items: [{ id: 1 }] }], '/list')).names).toEqual([1])
})

test.each([
  [
    'a page',
    [
      { items: [{ id: 1 }], next: 'a' },
      { items: [{ id: 1 }], next: 'b' },
    ],
  ],
  [
    'a cursor',
    [
      { items: [{ id: 1 }], next: 'a' },
      { items: [{ id: 2 }], next: 'a' },
    ],
  ],
])('a list that repeats %s is an error', async (_, pages) => {
  await expect(namesOf(pages)).rejects.toThrow(CircleError)
})

test.each([[{}], [{ items: [1] }], [{ items: [], next: 5 }], [[]]])('%j is not a page', async (page) => {
  await expect(namesOf([page])).rejects.toThrow('not of the form')
})

test('values of other types are left out', () => {
  expect(textsUnder(objectsIn([{ slug: 'a' }, { slug: 1 }, null, 'b']), 'slug')).toEqual(['a'])
  expect(objectsIn('none')).toEqual([])
  expect(fingerprint([1])).not.toBe(fingerprint(['1']))
})
