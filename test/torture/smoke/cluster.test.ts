// long: a round of each topic
// Goal: one round of each fault of a cluster's engines that no other test has.

import { smokeOf } from '../smoke.ts'

await smokeOf(['cluster'])
