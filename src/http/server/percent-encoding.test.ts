// Tests which parts of a URL are percent-encoded UTF-8.

import { expect, test } from 'bun:test'
import { isEncoded } from './percent-encoding.ts'

test.each(['', 'abc', 'a%20b', '%E6%9D%B1', 'ü', '+'])('%p is', (text) => expect(isEncoded(text)).toBe(true))

test.each(['%', '%2', '%zz', '%ff', '%E6%9D', 'a%c3%28'])('%p is not', (text) => expect(isEncoded(text)).toBe(false))
