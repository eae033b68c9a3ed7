// Tests the path of a request, with any Host header.

import { expect, test } from 'bun:test'
import { pathOf } from './request-path.ts'

test.each([
  ['http://localhost/a/b?c=/d#e', '/a/b'],
  ['http://localhost:99999/a', '/a'],
  ['http://[::/a?b', '/a'],
  ['http://localhost', '/'],
  ['http://localhost/', '/'],
  ['/a?b', '/a'],
  ['http://x/a#b?c', '/a#b'],
])('%s', (url, path) => expect(pathOf(url)).toBe(path))
