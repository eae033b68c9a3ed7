// long: a round of each topic
// Goal: a recorder whose venue and disk misbehave, a few rounds.

import { smokeOf } from '../smoke.ts'

await smokeOf(['record'])
