// Reads bodies of responses, for tests of what the server sends.

import type { Body } from '../../src/http/answers/content-encoding.ts'

export const bytesOf = (text: string) => new TextEncoder().encode(text)

export async function* chunksOf(parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield bytesOf(part)
  }
}

export async function bytesIn(body: Body): Promise<Uint8Array> {
  if ('bytes' in body) return body.bytes
  if ('pieces' in body) return Buffer.concat(body.pieces)
  const pieces: Uint8Array[] = []
  for (let next = await body.chunks.next(); !next.done; next = await body.chunks.next()) pieces.push(next.value)
  return Buffer.concat(pieces)
}

export const textOf = async (body: Body) => new TextDecoder().decode(await bytesIn(body))

/** Validators of an answer, for tests in which their values do not matter. */
export const VALIDATORS = { etag: 'W/"1"', freshness: 'private, no-cache' } as const
