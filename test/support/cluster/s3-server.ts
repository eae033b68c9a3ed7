// The S3-compatible store that `.ci/with-ceph` starts, for tests: settings with a bucket and a prefix of their own.

import { signedHeaders } from '../../../storage/cluster/objects/s3-signature.ts'
import type { ObjectSettings } from '../../../storage/cluster/settings/cluster-settings.ts'

/** http://ACCESS_KEY:SECRET@HOST:PORT */
export const S3_TEST_URL = process.env['S3_TEST_URL'] ?? ''
export const S3_SKIPPED = 'skipped, S3_TEST_URL is not set, see .ci/with-ceph'

const BUCKET = 'backbook-test'

/** Makes the bucket where it is missing. All tests share it, each below a prefix of its own. */
export async function testObjectSettings(url: string, prefix = `test-${crypto.randomUUID()}`): Promise<ObjectSettings> {
  const settings = objectSettingsOf(url, { bucket: BUCKET, prefix })
  await makeBucket(settings)
  return settings
}

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

async function makeBucket(settings: ObjectSettings): Promise<void> {
  const url = new URL(`${settings.endpoint}/${settings.bucket}`)
  const headers = signedHeaders({ method: 'PUT', url, headers: {} }, settings, Date.now())
  const { status } = await fetch(url, { method: 'PUT', headers })
  // 409: it is there, and it is ours.
  if (status !== 200 && status !== 409) throw new Error(`cannot make the bucket ${settings.bucket}: ${status}`)
}
