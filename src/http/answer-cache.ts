// Answers about the past, kept as the bytes that were sent, so that asking again costs next to nothing. The key of an
// answer holds everything it depends on, the revision of the stored days among it: an answer is never stale, only
// forgotten. Bodies are blobs: however many slow clients there are, they read from the same bytes.

import { LRUCache } from 'lru-cache'
import { followWhole } from '../observe/sent-body.ts'
import { bodyHeaders, type Keep } from './body-response.ts'
import type { ContentEncoding } from './content-encoding.ts'
import type { Validators } from './entity-tag.ts'

/** Pieces as they were sent; one blob of them from the first time on that they are sent again. */
type Kept = { pieces: Uint8Array[]; size: number; blob?: Blob; encoding: ContentEncoding }

/** Of questions about the past: those that were answered from here, and those that had to be computed. */
export type CacheFigures = { hits: number; misses: number; answers: number; bytes: number }

export class AnswerCache {
  readonly #answers: LRUCache<string, Kept> | null
  readonly #bytesMax: number
  /** Of answers that are being sent and may be kept afterwards. */
  #bytesUnderWay = 0
  #hits = 0
  #misses = 0

  /** Nothing is kept with 0. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#answers = bytesMax === 0 ? null : new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ size }) => size })
  }

  response(key: string, validators: Validators, request?: Request): Response | undefined {
    const kept = this.#answers?.get(key)
    if (kept === undefined) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    kept.blob ??= new Blob(kept.pieces.splice(0) as Uint8Array<ArrayBuffer>[])
    if (request !== undefined) followWhole(request, kept.size)
    return new Response(kept.blob, { headers: bodyHeaders(validators, kept.encoding) })
  }

  figures(): CacheFigures {
    const { size: answers = 0, calculatedSize: bytes = 0 } = this.#answers ?? {}
    return { hits: this.#hits, misses: this.#misses, answers, bytes }
  }

  /** Keeps an answer that is sent now, unless what is under way would then be more than may be kept at all. */
  keep(key: string): Keep | undefined {
    const answers = this.#answers
    if (answers === null) return undefined
    let pieces: Uint8Array[] | null = []
    let size = 0
    const end = () => {
      pieces = null
      this.#bytesUnderWay -= size
    }
    return {
      add: (bytes) => {
        if (pieces === null) return
        size += bytes.length
        this.#bytesUnderWay += bytes.length
        if (this.#bytesUnderWay > this.#bytesMax) end()
        else pieces.push(bytes)
      },
      done: (encoding) => {
        if (pieces === null) return
        answers.set(key, { pieces, size, encoding })
        end()
      },
      giveUp: () => {
        if (pieces !== null) end()
      },
    }
  }
}
