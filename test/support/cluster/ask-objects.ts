// Requests the time from the object store whose settings are in the environment. Prints "answered", or the error.

import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'

const objects = new S3Objects(JSON.parse(process.env['OBJECT_SETTINGS']!))
console.log(
  await objects.nowMs().then(
    () => 'answered',
    (error) => error.message,
  ),
)
