// The date-range of a data folder as the program answers it, but for anybody: `bun open-date-range.ts FOLDER`.

import { Elysia } from 'elysia'
import { logFailure } from '../../src/http/failure-log.ts'
import { problems } from '../../src/http/problem.ts'
import { requestGuards } from '../../src/http/request-guards.ts'
import { requestIds } from '../../src/http/request-id.ts'
import { routeTable } from '../../src/http/route-table.ts'
import { singleValues } from '../../src/http/single-values.ts'
import { dateRangeRoutes } from '../../src/routes/date-range.ts'
import { openStore } from '../../storage/open-store.ts'

const { catalogue } = openStore(process.argv[2]!)
const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
const routes = routeTable(() => app.routes)
app.use(requestIds()).use(requestGuards()).use(problems(routes, logFailure)).use(singleValues())
app.use(new Elysia({ prefix: '/api/v1' }).use(dateRangeRoutes({ catalogue })))
const server = Bun.serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
