// Requests the time from the object store whose settings are in the environment. Prints "told", or the failure.

import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'

const objects = new S3Objects(JSON.parse(process.env['OBJECT_SETTINGS']!))
console.log(
  await objects.nowMs().then(
    () => 'told',
    (error) => error.message,
  ),
)
