// Cache of answers about the past, as the bytes that were sent, so that a repeated request costs almost nothing. The
// key of an answer holds everything it depends on, including the revision of the stored days: a cached answer is never
// stale, only evicted. Bodies are blobs, so any number of slow clients read the same bytes.

import { LRUCache } from 'lru-cache'
import { freeBytes } from '../../../workers/bytes/free-bytes.ts'
import { followWhole } from '../server/sent-body.ts'
import { bodyHeaders, type CacheEntryWriter } from './body-response.ts'
import type { ContentEncoding } from './content-encoding.ts'
import type { Validators } from './entity-tag.ts'

/** A cached answer: its pieces as sent. The first cache hit joins them into one blob. */
type CachedAnswer = {
  pieces: Uint8Array[]
  /** True if nothing else reads the pieces. */
  areOwn: boolean
  size: number
  blob?: Blob
  encoding: ContentEncoding
  headers: Readonly<Record<string, string>>
}

/** Counters for questions about the past: answers from the cache (hits) and computed answers (misses). */
export type CacheStats = { hits: number; misses: number; answers: number; bytes: number }

/** An answer without rows may have an empty body, but the LRU cache accepts no size of 0. */
const sizeCalculation = ({ size }: CachedAnswer) => Math.max(1, size)

/** An answer being sent. Nothing else reads the first `sentCount` pieces any more. */
type PendingAnswer = { pieces: Uint8Array[]; sentCount: number; size: number }

export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer> | null
  readonly #bytesMax: number
  /** Answers that are being sent and may be cached afterwards. */
  readonly #pending = new Set<PendingAnswer>()
  #pendingBytes = 0
  #hits = 0
  #misses = 0

  /** A `bytesMax` of 0 disables the cache. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#answers = bytesMax === 0 ? null : new LRUCache({ maxSize: bytesMax, sizeCalculation, dispose: freeOwn })
  }

  response(key: string, validators: Validators, request?: Request): Response | undefined {
    const cached = this.#answers?.get(key)
    if (cached === undefined) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    cached.blob ??= blobOf(cached)
    if (request !== undefined) followWhole(request, cached.size)
    return new Response(cached.blob, {
      headers: bodyHeaders({ ...validators, headers: cached.headers }, cached.encoding),
    })
  }

  stats(): CacheStats {
    const { size: answers = 0, calculatedSize: bytes = 0 } = this.#answers ?? {}
    return { hits: this.#hits, misses: this.#misses, answers, bytes }
  }

  /** Starts to cache an answer while it is sent. Drops the answer if the answers being sent take too many bytes. The
   *  caller must abort for a slow client, which would hold the pieces for minutes. Returns undefined if the cache is
   *  disabled. */
  keep(key: string, headers: Readonly<Record<string, string>> = {}): CacheEntryWriter | undefined {
    const answers = this.#answers
    if (answers === null) return undefined
    const answer: PendingAnswer = { pieces: [], sentCount: 0, size: 0 }
    this.#pending.add(answer)
    return {
      add: (bytes) => {
        if (!this.#pending.has(answer)) return
        answer.pieces.push(bytes)
        answer.size += bytes.length
        this.#pendingBytes += bytes.length
        this.#makeRoom(answer)
      },
      sent: (bytes) => {
        if (this.#pending.has(answer)) answer.sentCount++
        else freeBytes(bytes)
      },
      done: (encoding) => {
        if (!this.#pending.has(answer)) return
        this.#end(answer)
        const { pieces, sentCount, size } = answer
        answers.set(key, { pieces, areOwn: sentCount === pieces.length, size, encoding, headers })
      },
      abort: () => this.#drop(answer),
    }
  }

  // Drops the answer that has just grown if the answers being sent together exceed the limit, or half of it if
  // another answer is larger. So one answer can always finish: if many grew alike, all would be dropped.
  #makeRoom(grown: PendingAnswer): void {
    let largest: PendingAnswer | undefined
    for (const answer of this.#pending) {
      if (largest === undefined || answer.size > largest.size) largest = answer
    }
    const max = grown === largest ? this.#bytesMax : this.#bytesMax / 2
    if (this.#pendingBytes > max) this.#drop(grown)
  }

  #end(answer: PendingAnswer): void {
    if (this.#pending.delete(answer)) this.#pendingBytes -= answer.size
  }

  /** Frees the sent pieces; a piece that is being sent is freed in `sent`. */
  #drop(answer: PendingAnswer): void {
    if (!this.#pending.has(answer)) return
    this.#end(answer)
    answer.pieces.splice(0).slice(0, answer.sentCount).forEach(freeBytes)
  }
}

function freeOwn({ pieces, areOwn }: CachedAnswer): void {
  if (areOwn) pieces.splice(0).forEach(freeBytes)
}

/** Returns the answer as a blob and frees its pieces: the blob has copied them. */
function blobOf(cached: CachedAnswer): Blob {
  const blob = new Blob(cached.pieces as Uint8Array<ArrayBuffer>[])
  freeOwn(cached)
  cached.pieces = []
  return blob
}
