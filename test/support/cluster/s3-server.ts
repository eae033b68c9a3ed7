// The S3-compatible store that `.ci/with-ceph` starts: settings with a bucket and with a separate prefix for each test.

import { signedHeaders } from '../../../storage/cluster/objects/s3-signature.ts'
import type { ObjectSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { isPresent } from '../../run/missing.ts'

/** http://ACCESS_KEY:SECRET@HOST:PORT */
export const S3_TEST_URL = process.env['S3_TEST_URL'] ?? ''
isPresent(S3_TEST_URL !== '', 'an S3-compatible store (.ci/with-ceph)')
/** The same address, with keys that have no rights until a test grants some. */
export const S3_TEST_GUEST_URL = process.env['S3_TEST_GUEST_URL'] ?? ''
export const S3_SKIPPED = 'skipped, S3_TEST_URL is not set, see .ci/with-ceph'

const BUCKET = 'backbook-test'

/** The creation of each bucket, by address. Each process creates a bucket once. */
const bucketsMade = new Map<string, Promise<void>>()

/** Creates the bucket if it is missing. All tests share it; each has its own prefix. */
export async function testObjectSettings(url: string, prefix = `test-${crypto.randomUUID()}`): Promise<ObjectSettings> {
  const settings = settingsBelow(url, prefix)
  const made = bucketsMade.get(url) ?? makeBucket(settings)
  bucketsMade.set(url, made)
  await made
  return settings
}

/** Returns the same settings, but does not create the bucket. */
export const settingsBelow = (url: string, prefix: string) => objectSettingsOf(url, { bucket: BUCKET, prefix })

export function objectSettingsOf(url: string, place: { bucket: string; prefix: string }): ObjectSettings {
  const { origin, username, password } = new URL(url)
  return {
    ...place,
    endpoint: origin,
    region: 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    sessionToken: null,
    timeoutMs: 10_000,
  }
}

/** Gives the user of S3_TEST_GUEST_URL these rights on a bucket, such as s3:GetObject, and no others. */
export async function setBucketRights(url: string, bucket: string, rights: readonly string[]): Promise<void> {
  const settings = objectSettingsOf(url, { bucket, prefix: '' })
  await makeBucket(settings)
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: ['arn:aws:iam:::user/guest'] },
    Action: rights,
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  if (rights.length === 0) await ask('DELETE', settings, '?policy=', null)
  else await ask('PUT', settings, '?policy=', policy)
}

/** Creates the bucket. Accepts 409: the bucket exists and is ours. */
const makeBucket = (settings: ObjectSettings) => ask('PUT', settings, '', null, [409])

async function ask(
  method: string,
  settings: ObjectSettings,
  query: string,
  body: string | null,
  allowed: readonly number[] = [],
): Promise<void> {
  const url = new URL(`${settings.endpoint}/${settings.bucket}${query}`)
  const headers = signedHeaders({ method, url, headers: {} }, settings, Date.now())
  const response = await fetch(url, { method, headers, body })
  if (response.ok || allowed.includes(response.status)) return
  throw new Error(`cannot ${method} ${url.pathname}${query}: ${response.status} ${await response.text()}`)
}
