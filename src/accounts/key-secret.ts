// The secret of an API key: `bb_` and 32 random bytes. It is shown once and kept only as its SHA-256.

import { createHash, randomBytes } from 'node:crypto'

const SECRET = /^bb_[A-Za-z0-9_-]{43}$/

export const newSecret = () => `bb_${randomBytes(32).toString('base64url')}`
export const isSecret = (text: string) => SECRET.test(text)
export const secretDigest = (secret: string) => createHash('sha256').update(secret).digest()
