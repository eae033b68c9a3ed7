// Tests which callers see the details of monitoring.

import { expect, test } from 'bun:test'
import { assertSeesDetails, seesDetails } from './monitoring-access.ts'

const request = (headers: Record<string, string>) => new Request('http://localhost/metrics', { headers })

test.each<[string, Record<string, string>, string | null]>([
  ['its header', { 'x-monitoring-token': 'secret' }, null],
  ['a bearer', { authorization: 'Bearer secret' }, null],
  ['a bearer in other letters, with blanks', { authorization: 'bearer   secret ' }, null],
  ['its header, whatever the bearer is', { 'x-monitoring-token': 'secret', authorization: 'Bearer bb_1' }, null],
  ['nothing', {}, 'monitoring_token_missing'],
  ['another scheme', { authorization: 'Basic secret' }, 'monitoring_token_missing'],
  ['a wrong header', { 'x-monitoring-token': 'Secret' }, 'monitoring_token_wrong'],
  ['a wrong bearer', { authorization: 'Bearer secre' }, 'monitoring_token_wrong'],
])('with a token, %s', (_, headers, code) => {
  expect(seesDetails('secret', request(headers))).toBe(code === null)
  if (code === null) return expect(() => assertSeesDetails('secret', request(headers))).not.toThrow()
  expect(() => assertSeesDetails('secret', request(headers))).toThrow(
    expect.objectContaining({
      code,
      headers: code.endsWith('missing') ? { 'www-authenticate': 'Bearer realm="backbook monitoring"' } : {},
    }),
  )
})

test('without a token every caller sees the details', () => {
  expect(seesDetails(null, request({}))).toBe(true)
  expect(seesDetails(null, request({ 'x-monitoring-token': 'any' }))).toBe(true)
})
