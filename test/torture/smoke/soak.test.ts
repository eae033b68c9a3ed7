// long: a round of each topic
// Goal: a server and a recorder that are kept busy for a while, a round each.

import { smokeOf } from '../smoke.ts'

await smokeOf(['soak', 'record-soak'])
