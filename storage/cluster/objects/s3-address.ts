// Builds the address of a bucket. Pure.

import { DataError } from '../../failures.ts'
import type { ObjectSettings } from '../settings/cluster-settings.ts'

/** Returns the address without a slash at the end. With an endpoint, the bucket is in the path, which nearly every
 *  server supports. AWS wants the bucket in the host name. A bucket with a dot is in the path there too: no certificate
 *  is valid for such a host. */
export function bucketAddress({
  bucket,
  endpoint,
  region,
}: Pick<ObjectSettings, 'bucket' | 'endpoint' | 'region'>): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    const wanted = 'a bucket has 3 to 63 lower-case letters, digits, dots and hyphens'
    throw new DataError('store_unavailable', `Cannot use the bucket ${JSON.stringify(bucket)}: ${wanted}`)
  }
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}
