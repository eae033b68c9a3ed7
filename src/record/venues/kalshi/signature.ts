// Signs requests to Kalshi: RSA-PSS over time, method and path, in three headers, for each request
// (docs.kalshi.com/getting_started/api_keys). The key leaves this file only as signatures.

import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { KalshiSigning } from './kalshi-config.ts'

/** Signs `method`, the path of `url` and the time `atMs`, Unix ms. Two signatures of the same text differ. */
export type KalshiSigner = (request: { method: 'GET'; url: string; atMs: number }) => Record<string, string>

/** Returns a signer. The key was checked when the configuration was read. */
export function kalshiSigner({ keyId, privateKeyPem }: KalshiSigning): KalshiSigner {
  const key = createPrivateKey({ key: privateKeyPem, format: 'pem' })
  return ({ method, url, atMs }) => {
    const timestamp = String(Math.floor(atMs))
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signatureOf(key, timestamp + method + signedPath(url)),
    }
  }
}

/** Returns the path that is signed: from `/trade-api/` on, without the query. */
export function signedPath(url: string): string {
  const { pathname } = new URL(url)
  const start = pathname.indexOf('/trade-api/')
  return start === -1 ? pathname : pathname.slice(start)
}

/** Returns the signature in Base64. */
function signatureOf(key: KeyObject, text: string): string {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return sign('sha256', Buffer.from(text), { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }).toString(
    'base64',
  )
}
