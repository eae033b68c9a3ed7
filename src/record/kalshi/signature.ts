// How Kalshi's requests are signed: RSA-PSS over time, method and path, in three headers, anew for every request
// (docs.kalshi.com/getting_started/api_keys). The key leaves this file only as signatures.

import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config/config-error.ts'

/** Signs `method` and the path of `url` as at `atMs`, ms UTC. Two signatures of the same text differ. */
export type KalshiSigner = (request: { method: 'GET'; url: string; atMs: number }) => Record<string, string>

export type KalshiKeySettings = {
  keyId?: string | undefined
  /** Path of a PEM file. */
  privateKeyFile?: string | undefined
  /** The PEM itself, as an environment variable holds it: its line ends may be written as \n. */
  privateKey?: string | undefined
}

const SETTING = { file: 'kalshi.private_key_file', text: 'KALSHI_PRIVATE_KEY', id: 'kalshi.key_id' }
const ACCEPTED = 'must be an RSA private key in PEM without a passphrase (PKCS#1 or PKCS#8)'

/** Undefined where no key is set: then nothing is signed. Throws ConfigError, which never holds any of the key. */
export function kalshiSigner({ keyId, privateKeyFile, privateKey }: KalshiKeySettings): KalshiSigner | undefined {
  if (keyId === undefined && privateKeyFile === undefined && privateKey === undefined) return undefined
  if (privateKeyFile !== undefined && privateKey !== undefined) {
    throw new ConfigError(`${SETTING.file} and ${SETTING.text} are both set: give one of them`)
  }
  if (keyId === undefined) throw new ConfigError(`${SETTING.id} is missing: a private key is set`)
  if (!/^[\x21-\x7e]+$/.test(keyId)) throw new ConfigError(`${SETTING.id} must be printable ASCII without spaces`)
  const key =
    privateKeyFile !== undefined
      ? rsaKey(readKeyFile(privateKeyFile), `${SETTING.file} ${privateKeyFile}`)
      : privateKey !== undefined
        ? rsaKey(privateKey.replaceAll('\\n', '\n'), SETTING.text)
        : undefined
  if (key === undefined) throw new ConfigError(`${SETTING.id} is set without ${SETTING.file} or ${SETTING.text}`)
  return ({ method, url, atMs }) => {
    const timestamp = String(Math.floor(atMs))
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signatureOf(key, timestamp + method + signedPath(url)),
    }
  }
}

/** The path that is signed: from `/trade-api/` on, without the query. */
export function signedPath(url: string): string {
  const { pathname } = new URL(url)
  const start = pathname.indexOf('/trade-api/')
  return start === -1 ? pathname : pathname.slice(start)
}

/** Base64. */
function signatureOf(key: KeyObject, text: string): string {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return sign('sha256', Buffer.from(text), { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }).toString(
    'base64',
  )
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `${SETTING.file} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'failed'}`,
    )
  }
}

// What OpenSSL says of a key it refuses may quote it.
function rsaKey(pem: string, name: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    throw new ConfigError(`${name} ${ACCEPTED}`)
  }
  if (key.asymmetricKeyType !== 'rsa') throw new ConfigError(`${name} ${ACCEPTED}, got ${key.asymmetricKeyType}`)
  return key
}
