// long: a round of each topic
// Goal: one round each of a busy server and of a busy recorder.

import { smokeOf } from '../smoke.ts'

await smokeOf(['soak', 'record-soak'])
