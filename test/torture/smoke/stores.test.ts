// long: a round of each topic
// Goal: a few rounds of each topic about damaged, killed and odd stores.

import { smokeOf } from '../smoke.ts'

await smokeOf(['captures', 'damage', 'crashes', 'objects'])
