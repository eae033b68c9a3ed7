// Seals a text that clients store for the server. A tag covers the text and its purpose, so the text cannot be changed,
// guessed, or used for anything else.
//
//   base64url( tag, 16 bytes | text )

import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16

export const sealedText = (secret: Uint8Array, purpose: readonly unknown[], text: string): string =>
  sealedBytes(secret, purpose, Buffer.from(text))

export const sealedBytes = (secret: Uint8Array, purpose: readonly unknown[], payload: Buffer): string =>
  Buffer.concat([tagOf(secret, purpose, payload), payload]).toString('base64url')

/** Returns the text within a sealed text; undefined if it was not sealed with this secret and purpose. */
export const openedText = (secret: Uint8Array, purpose: readonly unknown[], sealed: string): string | undefined =>
  openedBytes(secret, purpose, sealed)?.toString()

/** Returns the bytes within a sealed text; undefined if they were not sealed with this secret and purpose. */
export function openedBytes(secret: Uint8Array, purpose: readonly unknown[], sealed: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  // Decoding ignores unknown characters, so only the exact spelling that we write is accepted.
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined
  const payload = bytes.subarray(TAG_BYTES)
  if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(secret, purpose, payload))) return undefined
  return payload
}

function tagOf(secret: Uint8Array, purpose: readonly unknown[], payload: Uint8Array): Buffer {
  const hmac = createHmac('sha256', secret).update(JSON.stringify(purpose)).update('\0')
  return hmac.update(payload).digest().subarray(0, TAG_BYTES)
}
