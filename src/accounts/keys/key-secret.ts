// The secret of an API key: `bb_` and 32 random bytes. It is shown once; only its SHA-256 is stored.

import { randomBytes } from 'node:crypto'

const SECRET = /^bb_[A-Za-z0-9_-]{43}$/

export const newSecret = () => `bb_${randomBytes(32).toString('base64url')}`
export const isSecret = (text: string) => SECRET.test(text)

export const DIGEST_BYTES = 32

/** Writes the SHA-256 into `digest`. This is four times as fast as a hash object, and leaves no garbage. */
export const digestSecret = (secret: string, digest: Uint8Array): void => void Bun.SHA256.hash(secret, digest)
export const secretDigestHex = (secret: string): string => Bun.SHA256.hash(secret, 'hex')
