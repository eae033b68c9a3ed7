// long: a round of each topic
// Goal: a cluster whose engines fail, a round of each fault that no other test has.

import { smokeOf } from '../smoke.ts'

await smokeOf(['cluster'])
