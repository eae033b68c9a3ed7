// Turns a body into a response: encoded as the client accepts, streamed if long.

import { freeBytes } from '../../../workers/bytes/free-bytes.ts'
import type { Follow } from '../../../workers/requests.ts'
import { arePiecesCopied, followBody, followWhole, SentBody } from '../server/sent-body.ts'
import { type Body, type ContentEncoding, encoded } from './content-encoding.ts'
import type { Validators } from './entity-tag.ts'

/** Collects the body while it is sent. The added bytes are the whole body, unless `abort` was called. */
export type CacheEntryWriter = {
  add(bytes: Uint8Array): void
  /** Reports that the oldest unsent piece was sent: nothing else reads it any more. */
  sent(bytes: Uint8Array): void
  done(encoding: ContentEncoding): void
  abort(): void
}

export type BodyOptions = {
  /** The request being answered. With it, the number of sent bytes is tracked. */
  request?: Request
  /** The encoding that the client accepts; a short body is not encoded. */
  encoding: ContentEncoding
  /** Called for a failure after the first byte. The client only sees a broken connection. */
  onLateFailure: (error: unknown) => void
  keep?: CacheEntryWriter | undefined
  validators: Validators
}

/** Awaits the first piece, so that a failure in it is still answered with an error response. */
export async function bodyResponse(plain: Body, options: BodyOptions): Promise<Response> {
  const { body, encoding } = await encoded(plain, options.encoding)
  const { request, onLateFailure, keep, validators } = options
  const headers = bodyHeaders(validators, encoding)
  if ('bytes' in body) {
    keep?.add(body.bytes)
    keep?.done(encoding)
    if (request !== undefined) followWhole(request, body.bytes.length)
    return new Response(body.bytes as Uint8Array<ArrayBuffer>, { headers })
  }
  if ('pieces' in body) {
    for (const piece of body.pieces) keep?.add(piece)
    keep?.done(encoding)
    if (request !== undefined)
      followWhole(
        request,
        body.pieces.reduce((sum, { length }) => sum + length, 0),
      )
    return new Response(pieceStream(body.pieces), { headers })
  }
  const first = await body.chunks.next()
  const sent = request === undefined ? new SentBody() : followBody(request)
  const isFreed = request !== undefined && arePiecesCopied(request)
  return new Response(chunkStream(first, body, { encoding, onLateFailure, keep, sent, isFreed }), { headers })
}

/** Returns the headers of a body. A 304 and the answer to a HEAD have the same headers without the encoding: a short
 *  body is not encoded, and without a body its length is unknown. */
export function bodyHeaders(validators: Validators, encoding?: ContentEncoding): Record<string, string> {
  const { etag, freshness, type = 'application/json', vary = VARY, headers: others } = validators
  const headers = { 'content-type': type, etag, 'cache-control': freshness, vary, ...others }
  return encoding === undefined || encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
}

/** A cached answer is valid only for the key that received it. */
export const VARY = 'accept-encoding, authorization'

/** Streams the pieces, because a response made of bytes would copy them. Drops each piece once the runtime has it. The
 *  runtime holds the piece even if the client reads nothing. */
function pieceStream(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = [...pieces]
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = rest.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
}

type StreamOptions = Omit<BodyOptions, 'request' | 'validators'> & {
  sent: SentBody
  /** True if a piece is freed when the next is requested. */
  isFreed: boolean
}

/** Pulls one piece at a time: a slow client slows its worker and does not fill the memory. A failure resets the
 *  connection, since a body that merely stops would look complete. */
function chunkStream(
  first: IteratorResult<Uint8Array>,
  { chunks, follow }: { chunks: AsyncIterator<Uint8Array>; follow?: Follow },
  { encoding, onLateFailure, keep, sent, isFreed }: StreamOptions,
): ReadableStream<Uint8Array> {
  let hasLeft = false
  let next: IteratorResult<Uint8Array> | undefined = first
  let underWay: Uint8Array | undefined
  const freeSent = () => {
    if (underWay === undefined || !isFreed) return
    if (keep === undefined) freeBytes(underWay)
    else keep.sent(underWay)
    underWay = undefined
  }
  const fail = (error: unknown) => {
    keep?.abort()
    sent.done('failed')
    onLateFailure(error)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        follow?.({
          slow: () => keep?.abort(),
          cut(error) {
            if (hasLeft) return
            hasLeft = true
            fail(error)
            controller.error(error)
            void chunks.return?.()
          },
        })
      },
      async pull(controller) {
        try {
          freeSent()
          const { done, value } = next ?? (await chunks.next())
          next = undefined
          // The client may leave while its next piece is awaited.
          if (hasLeft) return
          if (done) {
            keep?.done(encoding)
            sent.done('whole')
            return controller.close()
          }
          keep?.add(value)
          sent.bytes += value.length
          underWay = value
          controller.enqueue(value)
        } catch (error) {
          if (hasLeft) return
          fail(error)
          throw error
        }
      },
      async cancel() {
        hasLeft = true
        sent.done('left')
        keep?.abort()
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
