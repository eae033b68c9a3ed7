// Tests what the settings of a shared store accept.

import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { STORE_SETTINGS } from './store-settings.ts'

test.each<[keyof typeof STORE_SETTINGS, readonly unknown[], readonly unknown[]]>([
  [
    'store_url',
    ['s3://abc', 's3://a.b-c/', 's3://abc/p/q_1'],
    ['s3://ab', 's3://ABC', 's3://abc-', 's3://abc/p?q', 'abc', `s3://${'a'.repeat(64)}`],
  ],
  ['catalogue_url', ['postgres://u:p@h/d', 'postgresql://h'], ['mysql://h', 'postgres://', 'h']],
  ['catalogue_schema', ['backbook', '_a1', 'a'.repeat(63)], ['1a', 'A', 'a-b', '', 'a'.repeat(64)]],
  ['aws_endpoint_url', ['http://h:9000', 'https://h/'], ['https://h/p', 'https://u@h', 'h']],
  ['aws_region', ['eu-central-1'], ['eu central', '']],
  ['aws_secret_access_key', ['s'], ['']],
  ['cache_mb', [16, 99_999_999], [15, 1.5, 100_000_000]],
  ['store_timeout_seconds', [1, 600], [0, 601]],
  ['catalogue_timeout_seconds', [1, 600], [0, 601]],
])('%s', (name, accepted, refused) => {
  const takes = (value: unknown) => [value, Value.Check(STORE_SETTINGS[name], value)]
  expect([...accepted, ...refused].map(takes)).toEqual([
    ...accepted.map((value) => [value, true]),
    ...refused.map((value) => [value, false]),
  ])
})

test('secrets and passwords in addresses are never printed', () => {
  const secret = Object.entries(STORE_SETTINGS).map(([name, setting]) => [
    name,
    (setting as { secret?: string }).secret,
  ])
  expect(Object.fromEntries(secret.filter(([, how]) => how !== undefined))).toEqual({
    ...{ catalogue_url: 'password', aws_access_key_id: 'all', aws_secret_access_key: 'all', aws_session_token: 'all' },
  })
})
