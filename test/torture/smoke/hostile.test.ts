// long: a round of each topic
// Goal: captures made to exhaust the program, one round.

import { smokeOf } from '../smoke.ts'

await smokeOf(['bombs'])
