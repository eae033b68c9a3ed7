// A small S3-compatible store in this process, for tests without a real store. It checks no signatures. The same suite
// runs against it and against a real one.

import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Small, so that a list of a few objects needs more than one page. */
const PAGE_OBJECTS_MAX = 3

const TLS_FOLDER = join(import.meta.dir, '../../fixtures/tls')
export const TEST_AUTHORITY = join(TLS_FOLDER, 'authority.pem')

export type S3Double = { url: string; stop(): Promise<void> }

/** Starts the store. With `tls`, uses HTTPS with a certificate of an authority that clients trust only if configured
 *  to. Its key is public and worthless. */
export function startS3Double({ tls }: { tls?: boolean } = {}): S3Double {
  const stored = new Map<string, { bytes: Uint8Array; modified: string }>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    ...(tls && { tls: { key: Bun.file(`${TLS_FOLDER}/server-key.pem`), cert: Bun.file(`${TLS_FOLDER}/server.pem`) } }),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const [, bucket, ...path] = pathname.split('/')
      const key = decodeURIComponent(path.join('/'))
      if (bucket === 'no-such-bucket') return failure(404, 'NoSuchBucket')
      if (request.method === 'GET' && key === '') return list(stored, searchParams)
      if (request.method === 'GET') return read(stored.get(key)?.bytes, request.headers.get('range'))
      if (request.method === 'DELETE') {
        stored.delete(key)
        return new Response(null, { status: 204 })
      }
      const bytes = new Uint8Array(await request.arrayBuffer())
      const md5 = request.headers.get('content-md5')
      if (md5 !== null && md5 !== createHash('md5').update(bytes).digest('base64')) return failure(400, 'BadDigest')
      if (key !== '') stored.set(key, { bytes, modified: new Date().toISOString() })
      return new Response(null)
    },
  })
  return { url: `${tls ? 'https' : 'http'}://KEY:SECRET@127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

function read(bytes: Uint8Array | undefined, header: string | null): Response {
  if (bytes === undefined) return failure(404, 'NoSuchKey')
  if (header === null) return new Response(bytes)
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? []
  if (Number(first) >= bytes.length) return failure(416, 'InvalidRange')
  const end = Math.min(Number(last) + 1, bytes.length)
  const headers = { 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` }
  return new Response(bytes.slice(Number(first), end), { status: 206, headers })
}

function list(stored: Map<string, { bytes: Uint8Array; modified: string }>, query: URLSearchParams): Response {
  const after = query.get('continuation-token') ?? ''
  const keys = [...stored.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
  const page = keys.slice(0, Math.min(PAGE_OBJECTS_MAX, Number(query.get('max-keys'))))
  const isTruncated = page.length < keys.length
  const entries = page.map((key) => {
    const { bytes, modified } = stored.get(key)!
    const name = encodeURIComponent(key).replaceAll('%20', '+')
    return `<Contents><Key>${name}</Key><LastModified>${modified}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const token = isTruncated ? `<NextContinuationToken>${escaped(page.at(-1)!)}</NextContinuationToken>` : ''
  const head = `<EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${token}`
  return xml(200, `<ListBucketResult>${head}${entries.join('')}</ListBucketResult>`)
}

const escaped = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
const failure = (status: number, code: string) => xml(status, `<Error><Code>${code}</Code></Error>`)
const xml = (status: number, text: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
