// Values for parameters: values that an endpoint accepts, and values that no client should send. All are
// percent-encoded already, or wrongly encoded on purpose.

import type { JsonSchema } from '../../../../src/openapi/document.ts'
import type { Random } from '../../../../workers/synthetic/random.ts'
import type { SyntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'

export const nastyValues: readonly string[] = [
  ...['', '%20', '0', '-1', '-0', '+1', '1e3', '1e400', '-1e400', 'NaN', 'Infinity', '0x10', '1.5', '1_000', '٣'],
  ...['9'.repeat(78), `-${'9'.repeat(78)}`, '9007199254740993', '18446744073709551616', '8640000000000001'],
  ...['253402300800000', '-62135596800001', '2026-02-30', '9999-12-31', '0000-01-01', '-271821-04-20', '+275760-09-13'],
  ...['1969-12-31', '2026-7-20', '2026-07-20T00:00:00Z', '2026-07-20T00:00:60Z', '20260720', 'today'],
  ...['%00', 'a%00b', '%ED%A0%80', '%F0%9F%92', '%FF', '%C0%80', '%', '%zz', '%u0041', '%25%30%30', '%EF%BF%BD'],
  ...['..%2f..%2fetc%2fpasswd', '..', '.', '%2e%2e', 'a/b', '%2F', '%5C', '~', '%7Broot%7D'],
  ...['%0d%0aX-Injected:%20yes', '%0aX-Injected:%20yes', 'x%0d%0a%0d%0a<html>', '%E5%98%8A%E5%98%8DX-Injected:yes'],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__proto__[polluted]',
    'null',
    'undefined',
  ],
  ...['true', '[]', '{}', '%5Bobject%20Object%5D', "'%20OR%201=1--", '%27;DROP%20TABLE%20users;--', '%3Cscript%3E'],
  ...[
    '%F0%9F%92%A9',
    '%E2%80%AE',
    'e%CC%81',
    `${'a'.repeat(1_000)}`,
    `${'%F0%9F%92%A9'.repeat(300)}`,
    `0x${'f'.repeat(64)}`,
  ],
  ...['a,b', 'a;b', 'a=b', 'a%26b=c', 'a+b', '*', '?', '%23', '"', '%7F', '$%7Bjndi:ldap://x%7D', '{{7*7}}'],
]

export type Known = {
  day: SyntheticDay
  cursors: readonly string[]
  keyIds: readonly string[]
  users: readonly string[]
}

/** Returns a valid value for the parameter of this name; undefined if only the document defines it. */
export function knownValue(name: string, path: string, { day, cursors, keyIds, users }: Known, random: Random) {
  const startMs = Date.parse(day.date)
  const values: Record<string, readonly string[]> = {
    ticker: [day.kalshiTicker],
    condition_id: [day.conditionId],
    asset_id: day.assetIds,
    date: [day.date, day.date, '2026-07-19', '2020-01-01'],
    start_timestamp: [
      String(startMs),
      String(startMs / 1_000),
      String(startMs + 43_200_000),
      new Date(startMs).toISOString(),
    ],
    end_timestamp: [String(startMs + 43_260_000), String(startMs / 1_000 + 43_260), String(startMs + 86_399_999)],
    resolution: ['1', '7', '60', '3600'],
    fill: ['observed', 'none', 'range'],
    limit: ['1', '3', '50', '1000'],
    offset: ['0', '1', '100', '9999999'],
    cursor: cursors,
    slug: [day.slug],
    user_id: users,
    name: ['laptop', 'caf%C3%A9'],
    key_id: keyIds,
    keyId: keyIds,
    file: ['README.md', 'api.md'],
  }
  const own = Object.hasOwn(values, name) ? values[name]! : []
  return own.length === 0 || (name === 'limit' && path.startsWith('/stats')) ? undefined : random.pick(own)
}

/** Returns a value that follows from the document alone. */
export function documentedValue(
  { enum: choices, example, default: fallback, oneOf }: JsonSchema,
  random: Random,
): string {
  if (choices !== undefined) return String(random.pick(choices))
  if (oneOf !== undefined) return documentedValue(random.pick(oneOf), random)
  return encodeURIComponent(String(example ?? fallback ?? '1'))
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** Bodies that no endpoint accepts, as bytes or as text. */
export const nastyBodies: readonly (string | Uint8Array)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '"x"',
    '[]',
    '[{}]',
    '{}',
    '{',
    '{"a":1',
    '{"a":1}}',
    "{'a':1}",
    'a=b',
    'NaN',
    '1e400',
  ],
  ...['{"user_id":1e400,"name":-1e400}', '{"user_id":[],"name":{}}', '{"user_id":null,"name":null}'],
  ...[
    '{"user_id":"a","user_id":"b","name":"c"}',
    '{"user_id":"\\ud800","name":"\\udfff"}',
    '{"user_id":"\\u0000","name":"\\u0000"}',
  ],
  ...['{"__proto__":{"polluted":"yes"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}'],
  ...[
    '{"user_id":"fuzz","name":"n","__proto__":{"polluted":"yes","tier":"pro"}}',
    '{"user_id":"fuzz","name":"a\\r\\nX-Injected: yes"}',
  ],
  ...[
    '{"user_id":"fuzz","name":"n","scopes":["kalshi",{}]}',
    '{"user_id":"fuzz","name":"n","expires_at":"9999-99-99"}',
  ],
  ...[
    '{"user_id":"fuzz","tier":"__proto__"}',
    '{"tier":"constructor","user_id":"fuzz","return_url":"javascript:alert(1)"}',
  ],
  `{"user_id":"fuzz","name":${'9'.repeat(400)}}`,
  nested('[', ']', 8_000),
  nested('{"a":', '}', 2_700).replace(/\}/, '1}'),
  `{"user_id":"${'u'.repeat(17_000)}"}`,
  '\ufeff{"user_id":"fuzz","name":"bom"}',
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array(Buffer.from('{"user_id":"fuzz","name":"utf16"}', 'utf16le')),
  new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
]

export const bodyTypes: readonly string[] = [
  ...Array.from({ length: 6 }, () => 'application/json'),
  ...['application/json; charset=utf-8', 'application/json; charset=utf-16', 'text/plain', 'application/xml', ''],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json; charset="__proto__"'],
]

export const nastyHeaders: readonly string[] = [
  ...[
    'X-Request-Id: a b',
    'X-Request-Id: <script>',
    `X-Request-Id: ${'a'.repeat(500)}`,
    'X-Request-Id: ok-1',
    'X-Request-Id:',
  ],
  ...[
    'Accept-Encoding: zstd;q=NaN, gzip;q=1e400',
    'Accept-Encoding: ,,,;;;',
    `Accept-Encoding: ${'gzip,'.repeat(500)}`,
    'Accept-Encoding: *;q=0',
  ],
  ...['If-None-Match: *', 'If-None-Match: W/"', `If-None-Match: ${'"a",'.repeat(800)}`, 'If-Modified-Since: never'],
  ...[
    'Origin: null',
    'Origin: https://evil.example',
    'Range: bytes=0-,5-1,-',
    'Accept: image/png',
    'Content-Type: \u00ff',
  ],
  ...[
    'Authorization: Bearer',
    'Authorization: Basic YTpi',
    'Authorization: Bearer \u0080',
    `Authorization: Bearer ${'b'.repeat(4_000)}`,
  ],
  ...[
    'X-Forwarded-For: 1.2.3.4, evil',
    'X-Forwarded-For: [',
    'Forwarded: for="_x"',
    'Cookie: a=b',
    'X-HTTP-Method-Override: DELETE',
  ],
  ...[
    'traceparent: 00-zz',
    'Content-Encoding: gzip',
    'Expect: 200-maybe',
    'X-Admin-Token: __proto__',
    '__proto__: polluted',
  ],
]
