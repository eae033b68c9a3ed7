// Answers about the past, kept as the bytes that were sent, so that asking again costs next to nothing. The key of an
// answer holds everything it depends on, the revision of the stored days among it: an answer is never stale, only
// forgotten. Bodies are blobs: however many slow clients there are, they read from the same bytes.

import { LRUCache } from 'lru-cache'
import { freeBytes } from '../../../workers/bytes/free-bytes.ts'
import { followWhole } from '../server/sent-body.ts'
import { bodyHeaders, type Keep } from './body-response.ts'
import type { ContentEncoding } from './content-encoding.ts'
import type { Validators } from './entity-tag.ts'

/** Pieces as they were sent; one blob of them from the first time on that they are sent again. */
type Kept = {
  pieces: Uint8Array[]
  /** Whether nobody else reads them. */
  areOwn: boolean
  size: number
  blob?: Blob
  encoding: ContentEncoding
  headers: Readonly<Record<string, string>>
}

/** Of questions about the past: those that were answered from here, and those that had to be computed. */
export type CacheStats = { hits: number; misses: number; answers: number; bytes: number }

/** Rows may be none, and the body empty; the cache takes no size of 0. */
const sizeCalculation = ({ size }: Kept) => Math.max(1, size)

/** The first `sentCount` pieces are read by nobody else any more. */
type UnderWay = { pieces: Uint8Array[]; sentCount: number; size: number }

export class AnswerCache {
  readonly #answers: LRUCache<string, Kept> | null
  readonly #bytesMax: number
  /** Answers that are being sent and may be kept afterwards. */
  readonly #underWay = new Set<UnderWay>()
  #bytesUnderWay = 0
  #hits = 0
  #misses = 0

  /** Nothing is kept with 0. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#answers = bytesMax === 0 ? null : new LRUCache({ maxSize: bytesMax, sizeCalculation, dispose: freeOwn })
  }

  response(key: string, validators: Validators, request?: Request): Response | undefined {
    const kept = this.#answers?.get(key)
    if (kept === undefined) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    kept.blob ??= blobOf(kept)
    if (request !== undefined) followWhole(request, kept.size)
    return new Response(kept.blob, { headers: bodyHeaders({ ...validators, headers: kept.headers }, kept.encoding) })
  }

  stats(): CacheStats {
    const { size: answers = 0, calculatedSize: bytes = 0 } = this.#answers ?? {}
    return { hits: this.#hits, misses: this.#misses, answers, bytes }
  }

  /** Keeps an answer that is sent now, unless too much is under way. That of a slow client is aborted: it would hold
   *  its pieces for minutes. */
  keep(key: string, headers: Readonly<Record<string, string>> = {}): Keep | undefined {
    const answers = this.#answers
    if (answers === null) return undefined
    const answer: UnderWay = { pieces: [], sentCount: 0, size: 0 }
    this.#underWay.add(answer)
    return {
      add: (bytes) => {
        if (!this.#underWay.has(answer)) return
        answer.pieces.push(bytes)
        answer.size += bytes.length
        this.#bytesUnderWay += bytes.length
        this.#makeRoom(answer)
      },
      sent: (bytes) => {
        if (this.#underWay.has(answer)) answer.sentCount++
        else freeBytes(bytes)
      },
      done: (encoding) => {
        if (!this.#underWay.has(answer)) return
        this.#end(answer)
        const { pieces, sentCount, size } = answer
        answers.set(key, { pieces, areOwn: sentCount === pieces.length, size, encoding, headers })
      },
      abort: () => this.#drop(answer),
    }
  }

  // More than half of the room is for the one that is furthest: of many that grow alike, none would ever be kept.
  #makeRoom(grown: UnderWay): void {
    let furthest: UnderWay | undefined
    for (const answer of this.#underWay) {
      if (furthest === undefined || answer.size > furthest.size) furthest = answer
    }
    const max = grown === furthest ? this.#bytesMax : this.#bytesMax / 2
    if (this.#bytesUnderWay > max) this.#drop(grown)
  }

  #end(answer: UnderWay): void {
    if (this.#underWay.delete(answer)) this.#bytesUnderWay -= answer.size
  }

  /** A piece that is being sent is freed when that is done. */
  #drop(answer: UnderWay): void {
    if (!this.#underWay.has(answer)) return
    this.#end(answer)
    answer.pieces.splice(0).slice(0, answer.sentCount).forEach(freeBytes)
  }
}

function freeOwn({ pieces, areOwn }: Kept): void {
  if (areOwn) pieces.splice(0).forEach(freeBytes)
}

/** It has copies of the pieces. */
function blobOf(kept: Kept): Blob {
  const blob = new Blob(kept.pieces as Uint8Array<ArrayBuffer>[])
  freeOwn(kept)
  kept.pieces = []
  return blob
}
