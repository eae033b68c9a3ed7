// Reads the API key of Kalshi, and signs requests with it (docs.kalshi.com/getting_started/api_keys). Each request gets
// three headers: the id of the key, the time, and an RSA-PSS signature of the time, the method and the path. This
// module never passes the private key on.

import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../../config/config-error.ts'
import type { Origin } from '../../config/venue-config.ts'

/** Returns the headers that sign a GET of `url` at the time `atMs`, Unix ms. Two signatures of the same text differ. */
export type KalshiSigner = (url: string, atMs: number) => Record<string, string>

type KeySettings = { key_id?: string; private_key_file?: string }

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

/** Returns the signer; undefined without a private key, since a key id alone signs nothing. An empty setting counts
 *  as not set. Throws ConfigError if the key cannot be read. No error message contains the key. */
export function signerOf(
  { key_id, private_key_file: file }: KeySettings,
  { folder, variables }: Origin,
): KalshiSigner | undefined {
  const keyId = key_id || variables['KALSHI_KEY_ID'] || ''
  const pem = file ? readKey(resolve(folder, file)) : (variables['KALSHI_PRIVATE_KEY'] ?? '').replaceAll('\\n', '\n')
  if (pem === '') return undefined
  if (keyId === '') throw new ConfigError('kalshi.key_id must be the id of the API key whose private key is given')
  const key = rsaKeyIn(pem)
  const called = file ? `kalshi.private_key_file ${file}` : 'KALSHI_PRIVATE_KEY'
  if (key === undefined) throw new ConfigError(`${called} must hold an RSA key in PEM`)
  return (url, atMs) => {
    const timestamp = String(Math.floor(atMs))
    const signature = sign('sha256', Buffer.from(`${timestamp}GET${signedPath(url)}`), { key, ...PSS })
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
    }
  }
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ConfigError(`kalshi.private_key_file cannot be read: ${path}: ${code}`)
  }
}

function rsaKeyIn(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

/** Returns the path that is signed: from `/trade-api/` on, without the query. */
export function signedPath(url: string): string {
  const { pathname } = new URL(url)
  const start = pathname.indexOf('/trade-api/')
  return start === -1 ? pathname : pathname.slice(start)
}
