// A file as a response: the whole file, or the requested bytes. The runtime sends it from the disk.

import { setHeadLength } from '../server/head-length.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { followWhole } from '../server/sent-body.ts'
import { bodyHeaders } from './body-response.ts'
import { byteRangeOf } from './byte-range.ts'
import { answerWithoutBody } from './entity-tag.ts'
import type { Freshness } from './freshness.ts'

export type SentFile = {
  bytes: number
  /** SHA-256 of exactly these bytes. */
  sha256: string
  type: string
  freshness: Freshness
  /** The file name under which a client saves it. */
  name: string
}

/** Answers a HEAD, or a client that has the file; undefined if the client needs the bytes. */
export function bodilessFileResponse(request: Request, file: SentFile): Response | undefined {
  if (request.method === 'HEAD') setHeadLength(request, file.bytes)
  return answerWithoutBody(request, headersOf(file))
}

/** Throws RequestFailure for a range outside of the file. */
export function fileResponse(request: Request, file: SentFile & { path: string }): Response {
  const { bytes, path } = file
  const headers = headersOf(file)
  const range = byteRangeOf(request.headers, headers.etag, bytes)
  if (range === 'none') throw notSatisfiable(request, bytes)
  const { first, last } = range ?? { first: 0, last: bytes - 1 }
  followWhole(request, last - first + 1)
  // Send the whole file as a slice too: if the body were the file itself, the runtime would answer ranges by its own
  // rules.
  const body = Bun.file(path).slice(first, last + 1)
  if (range === null) return new Response(body, { headers })
  return new Response(body, {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${bytes}` },
  })
}

const headersOf = ({ sha256, type, freshness, name }: SentFile) => {
  const etag = `"${sha256}"`
  return {
    ...bodyHeaders({ etag, freshness, type, vary: 'authorization' }),
    etag,
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${name}"`,
  }
}

function notSatisfiable(request: Request, bytes: number): RequestFailure {
  const given = JSON.stringify(request.headers.get('range'))
  const message = `The header Range must begin within the ${bytes} bytes of the file, got ${given}`
  return new RequestFailure('range_not_satisfiable', message, { headers: { 'content-range': `bytes */${bytes}` } })
}
