// A list of objects is accepted only if it is complete. Its keys are returned unchanged.

import { describe, expect, test } from 'bun:test'
import { parseErrorCode, parseList } from './s3-answers.ts'

const entry = (key: string, bytes = '5', modified = '2026-11-20T01:02:03.004Z') =>
  `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>&quot;0&quot;</ETag><Size>${bytes}</Size>` +
  '<Owner><ID>Key</ID><DisplayName>Size</DisplayName></Owner></Contents>'
const list = (entries: string, head = '<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>') =>
  `<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${head}${entries}` +
  '<CommonPrefixes></CommonPrefixes></ListBucketResult>\n'
const keysOf = (xml: string) => parseList(xml)?.objects.map(({ key }) => key)

describe('parseList', () => {
  test('has sizes and times', () => {
    const modifiedMs = Date.parse('2026-11-20T01:02:03.004Z')
    expect(parseList(list(entry('a') + entry('b', '0')))).toEqual({
      objects: [
        { key: 'a', bytes: 5, modifiedMs },
        { key: 'b', bytes: 0, modifiedMs },
      ],
      next: null,
    })
    expect(parseList(list(''))).toEqual({ objects: [], next: null })
  })

  test('has the token of the next page', () => {
    const head = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>'
    expect(parseList(list(entry('a'), head))?.next).toBe('a&b=')
  })

  test('decodes keys as the answer says they are encoded', () => {
    expect(keysOf(list(entry('a%20b+c%2Bd%26%C3%BC')))).toEqual(['a b c+d&ü'])
    expect(keysOf(list(entry('a%20b+&amp;&lt;&#x41;&#66;&#128512;'), '<IsTruncated>false</IsTruncated>'))).toEqual([
      'a%20b+&<AB😀',
    ])
    expect(keysOf(list(entry('&amp;lt;'), '<IsTruncated>false</IsTruncated>'))).toEqual(['&lt;'])
  })

  const whole = list(entry('a') + entry('b'))

  test('no part of a list is a list', () => {
    for (let end = 0; end < whole.trimEnd().length; end++) expect(parseList(whole.slice(0, end))).toBeNull()
    expect(parseList(whole.trimEnd())).not.toBeNull()
  })

  test.each([
    ['an error', '<Error><Code>AccessDenied</Code></Error>'],
    ['a page of a proxy', '<html><body>ListBucketResult</body></html>'],
    ['no word on whether it ends', list(entry('a'), '')],
    ['more to come, and no token', list(entry('a'), '<IsTruncated>true</IsTruncated>')],
    ['a size that is no number', list(entry('a', 'x'))],
    ['a negative size', list(entry('a', '-1'))],
    ['no size', list(entry('a', ''))],
    ['no time', list(entry('a', '5', 'yesterday'))],
    ['no key', list(entry(''))],
    ['a key that is not encoded', list(entry('%zz'))],
  ])('%s is no list', (_, xml) => expect(parseList(xml)).toBeNull())
})

test('returns only the code of an error', () => {
  expect(parseErrorCode('<?xml?><Error><Code>SlowDown</Code><Message>m</Message></Error>')).toBe('SlowDown')
  expect(parseErrorCode('<Error><Code>AKIA/20260101 x</Code></Error>')).toBe('')
  expect(parseErrorCode('<html>')).toBe('')
})
