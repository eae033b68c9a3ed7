// long: a round of each topic
// Goal: one round of captures that are made to exhaust the program.

import { smokeOf } from '../smoke.ts'

await smokeOf(['bombs'])
