// long: a round of each topic
// Goal: a server and a recorder are kept busy for a while, one round each.

import { smokeOf } from '../smoke.ts'

await smokeOf(['soak', 'record-soak'])
