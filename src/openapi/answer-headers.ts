// The headers of answers, each described once.

const HEADERS = {
  'x-request-id': {
    description:
      "The request's id, as in the server's log: the client's own x-request-id if that is 1 to 128 " +
      'letters, digits, ".", "_", "-", else a new one',
    schema: { type: 'string', example: 'e3edd0d4-9d7a-4d68-bb08-8ec47acd1031' },
  },
  'RateLimit-Policy': {
    description:
      'What the plan allows: `q` calls of the "month", a "burst" of `q` calls that comes back in `w` s. ' +
      'Absent if the plan has no limit',
    schema: { type: 'string', example: '"month";q=10000, "burst";q=20;w=4' },
  },
  RateLimit: {
    description: 'What is left: `r` calls, and all of them again in `t` s. Absent if the plan has no limit',
    schema: { type: 'string', example: '"month";r=9999;t=817845, "burst";r=19;t=1' },
  },
  ETag: {
    description:
      'The state of the answer: sent as If-None-Match, it is answered with 304 and without a body while nothing ' +
      'has changed',
    schema: { type: 'string', example: 'W/"1c6y2bxk3v0qj"' },
  },
  'Cache-Control': {
    description:
      'How the answer may be cached: for an hour if its window ended at least a day ago and something is stored of ' +
      'it; otherwise each use must be revalidated with its tag',
    schema: { type: 'string', enum: ['private, no-cache', 'private, max-age=3600'] },
  },
  Vary: {
    description: 'The answer depends on these headers of the request',
    schema: { type: 'string', example: 'accept-encoding, authorization' },
  },
  'Content-Encoding': {
    description: 'zstd or gzip, if the client accepts it; absent otherwise and on short answers',
    schema: { type: 'string', enum: ['zstd', 'gzip'] },
  },
  'X-Data-Count': {
    description: 'Rows of this answer. Not in JSON, whose envelope has it',
    schema: { type: 'integer', minimum: 0, example: 1440 },
  },
  'X-Error-Count': {
    description: 'Number of books without stored data',
    schema: { type: 'integer', minimum: 0, example: 1 },
  },
  'X-Errors': {
    description: 'The first 20 of these books as JSON: their ids, and `code`. Absent if all were found',
    schema: { type: 'string', example: '[{"market_ticker":"KXDEMODAY-26JUL20-T60","code":"market_not_stored"}]' },
  },
  'X-Has-More': {
    description: 'Whether there is a page after this one. Not in JSON, whose envelope has it',
    schema: { type: 'boolean', example: true },
  },
  'X-Next-Cursor': {
    description: 'The cursor of the next page; absent on the last. Not in JSON, whose envelope has it',
    schema: { type: 'string', example: '4boBylTFm9kAy1R5kbT3fFsiMjAyNi0wNy0yMCIsMiwxXQ' },
  },
  'X-Total-Count': {
    description: 'Rows of all pages together. Not in JSON, whose envelope has it',
    schema: { type: 'integer', minimum: 0, example: 99376 },
  },
  'Accept-Ranges': {
    description: 'The header Range requests a part of the file',
    schema: { type: 'string', enum: ['bytes'] },
  },
  'Content-Range': {
    description: 'The range of these bytes, and the size of the file',
    schema: { type: 'string', example: 'bytes 1048576-2097151/5361013' },
  },
  'Content-Disposition': {
    description: 'Name for the file',
    schema: { type: 'string', example: 'attachment; filename="records.ndjson.zst"' },
  },
  'WWW-Authenticate': {
    description: 'How to send a key',
    schema: { type: 'string', example: 'Bearer realm="backbook"' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again. Do not wait after quota_exceeded: it lasts until the next month',
    schema: { type: 'integer', minimum: 0, example: 1 },
  },
} as const

export type HeaderName = keyof typeof HEADERS

export const headerComponents: Record<string, object> = HEADERS

export const headersOf = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
