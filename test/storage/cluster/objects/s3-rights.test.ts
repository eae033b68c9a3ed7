// Goal: each documented set of rights permits its task, and no other request.

import { beforeAll, describe, expect, test } from 'bun:test'
import { ObjectGone } from '../../../../storage/cluster/objects/objects.ts'
import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import {
  objectSettingsOf,
  S3_TEST_GUEST_URL,
  S3_TEST_URL,
  setBucketRights,
} from '../../../support/cluster/s3-server.ts'

const BYTES = new TextEncoder().encode('0123456789')
const READ = ['s3:GetObject', 's3:ListBucket']
const WRITE = [...READ, 's3:PutObject']
const SWEEP = [...READ, 's3:DeleteObject']

function suite() {
  const place = { bucket: `rights-${crypto.randomUUID()}`, prefix: 'p' }
  let owner: S3Objects
  let guest: S3Objects
  const grant = (rights: string[]) => setBucketRights(S3_TEST_URL, place.bucket, rights)

  beforeAll(async () => {
    await grant([])
    owner = new S3Objects(objectSettingsOf(S3_TEST_URL, place))
    guest = new S3Objects(objectSettingsOf(S3_TEST_GUEST_URL, place))
    await owner.put('one', BYTES)
  })

  const tries = {
    's3:GetObject': () => guest.read({ key: 'one', start: 0, length: 10 }),
    's3:ListBucket': () => Array.fromAsync(guest.list('')),
    's3:PutObject': () => guest.put('two', BYTES),
    's3:DeleteObject': () => guest.remove(['two']),
  }

  test.each([
    ['do nothing', []],
    ['read', READ],
    ['write', WRITE],
    ['sweep', SWEEP],
  ])('a key that may %s can do that and no more', async (_, rights) => {
    await grant(rights)
    for (const [right, task] of Object.entries(tries)) {
      const refusal = await task().then(
        () => null,
        (error) => error.message,
      )
      if (rights.includes(right)) expect(refusal).toBeNull()
      else expect(refusal).toEndWith(`the key must have the right ${right}`)
    }
  })

  test('a missing object is reported as missing to a key that may list', async () => {
    await grant(READ)
    const error = await guest.read({ key: 'none', start: 0, length: 1 }).catch((error) => error)
    expect(error).toBeInstanceOf(ObjectGone)
  })

  test('a key that may list can read the clock', async () => {
    await grant(READ)
    expect(Number.isFinite(await guest.nowMs())).toBe(true)
  })
}

if (S3_TEST_GUEST_URL) describe('rights in an S3-compatible store', suite)
else describe.skip('rights in an S3-compatible store: skipped, S3_TEST_GUEST_URL is not set, see .ci/with-ceph', suite)
