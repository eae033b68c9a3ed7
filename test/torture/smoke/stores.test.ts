// long: a round of each topic
// Goal: damaged, killed and odd stores, a few rounds of each topic.

import { smokeOf } from '../smoke.ts'

await smokeOf(['captures', 'damage', 'crashes', 'objects'])
