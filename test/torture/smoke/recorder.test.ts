// long: a round of each topic
// Goal: a few rounds of a recorder whose venue and disk misbehave.

import { smokeOf } from '../smoke.ts'

await smokeOf(['record'])
