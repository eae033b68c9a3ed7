// A body as a response: in the encoding the client takes, streamed where it is long.

import { freeBytes } from '../../../workers/bytes/free-bytes.ts'
import type { Follow } from '../../../workers/requests.ts'
import { arePiecesCopied, followBody, followWhole, SentBody } from '../server/sent-body.ts'
import { type Body, type ContentEncoding, encoded } from './content-encoding.ts'
import type { Validators } from './entity-tag.ts'

/** Takes the body in as it is sent: the sum of what it was given is the whole body, unless it was aborted. */
export type Keep = {
  add(bytes: Uint8Array): void
  /** The first of those that were added and not sent yet were sent: nobody else reads them any more. */
  sent(bytes: Uint8Array): void
  done(encoding: ContentEncoding): void
  abort(): void
}

export type BodyOptions = {
  /** What is answered: how much of it was sent is then known by it. */
  request?: Request
  /** The one that the client takes; a short body stays as it is. */
  encoding: ContentEncoding
  /** Told of a failure after the first byte, of which the client sees only a broken connection. */
  onLateFailure: (error: unknown) => void
  keep?: Keep | undefined
  validators: Validators
}

/** The first piece is awaited, so that a failure in it is still an error response. */
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

/** A 304 and the answer to a HEAD have those of the body that they stand for, but for its encoding: a short body stays
 *  as it is, and how long it would be is not known. */
export function bodyHeaders(validators: Validators, encoding?: ContentEncoding): Record<string, string> {
  const { etag, freshness, type = 'application/json', vary = VARY, headers: others } = validators
  const headers = { 'content-type': type, etag, 'cache-control': freshness, vary, ...others }
  return encoding === undefined || encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
}

/** Answers that may be kept for a while are for the key that got them. */
export const VARY = 'accept-encoding, authorization'

/** A response of bytes would copy them. A piece is forgotten once it is handed over: of a client that takes nothing the
 *  runtime holds it already. */
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
  /** Whether a piece is freed when the next is asked for. */
  isFreed: boolean
}

/** Pulls one piece at a time: a slow client slows its worker, and does not fill the memory. A failure resets the
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
          // The client may leave while its next piece is waited for.
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
