// The market endpoints as routes, and the steps from request to answer that they share: parameters, market, entity tag,
// answer cache, workers, envelope, bytes.

import { Elysia, t } from 'elysia'
import type { Catalogue } from '../../../storage/catalogue.ts'
import { utcDate } from '../../../storage/units.ts'
import type { Workers } from '../../../workers/requests.ts'
import type { DayFiles } from '../../day-files/day-files.ts'
import type { AnswerCache } from '../../http/answers/answer-cache.ts'
import { bodyHeaders, bodyResponse, VARY } from '../../http/answers/body-response.ts'
import { acceptedEncoding } from '../../http/answers/content-encoding.ts'
import { answerWithoutBody, type StoreSecret, storeSecret, type TagOf, tagsOf } from '../../http/answers/entity-tag.ts'
import { freshnessOf } from '../../http/answers/freshness.ts'
import { indexAnswer } from '../../http/answers/index-answer.ts'
import { jsonEnvelope } from '../../http/answers/json-envelope.ts'
import { envelopeHeaders, HTTP_FORMATS, missingHeaders } from '../../http/answers/negotiated-format.ts'
import { querySchema, type VenueParameters } from '../../http/parameters/venue-parameters.ts'
import type { ProblemCode } from '../../http/problem/problem.ts'
import { type LogFailure, lateFailure } from '../../http/server/failure-log.ts'
import { alias, COMPRESSED, operation, STREAMED_FAILURES } from '../../openapi/operation.ts'
import { documentedFormats, encodingOf, formatsOf, parametersOf } from '../format-parameters.ts'
import { limitToSource, sourceIdentity } from '../query-source.ts'
import type { IndexQuestion, ParsedQuery, Question, RecordsPlan, RecordsQuestion } from '../question.ts'
import { assertAnswerable } from '../stored-assets.ts'
import { ENDPOINTS } from './market-endpoint.ts'

type Dependencies = {
  catalogue: Catalogue
  workers: Pick<Workers, 'ask'>
  dayFiles: DayFiles
  cache: AnswerCache
  /** Charges a request that counts as `calls` calls; the first is already charged. Throws RequestFailure. */
  charge: (request: Request, calls: number) => void
  nowMs: () => number
  log: LogFailure
}

/** The services that all answers need. */
type Services = Dependencies & { secret: StoreSecret; tagOf: TagOf }

export function questionRoutes(dependencies: Dependencies): Elysia {
  const { catalogue, nowMs } = dependencies
  const secret = storeSecret(catalogue)
  const services: Services = { ...dependencies, secret, tagOf: tagsOf(secret) }
  const routes = new Elysia()
  for (const { route, question, parameters, isAlias } of ENDPOINTS) {
    const { inPath } = question
    routes.get(
      route,
      ({ query, params, request }) => {
        return answer(question, services, { parameters, query, inPath: params, nowMs: nowMs() }, request)
      },
      {
        query: querySchema(parameters, parametersOf(question, parameters)),
        ...(inPath === undefined ? {} : { params: t.Object(inPath(parameters)) }),
        detail: isAlias ? alias : detailOf(question, parameters),
      },
    )
  }
  return routes as unknown as Elysia
}

function detailOf(question: Question, parameters: VenueParameters) {
  const about = question.about(parameters)
  const documented = () => {
    const answer = about.answer()
    const isCompressed = question.kind !== 'file' && !(question.kind === 'index' && question.isShort)
    const headers = [...(isCompressed ? COMPRESSED : []), ...(answer.headers ?? [])]
    return documentedFormats({ ...answer, headers }, formatsOf(question))
  }
  return operation({
    ...about,
    answer: documented,
    failures: [...failuresOf(question, parameters), ...(about.failures ?? [])],
    tag: question.isOfAllVenues ? 'lookup' : parameters.venue,
    access: 'key',
  })
}

/** Returns the failures that follow from the kind of a question and from whether it takes an asset id. */
function failuresOf(question: Question, parameters: VenueParameters): ProblemCode[] {
  if (question.kind === 'file') return []
  if (question.kind === 'index') return ['block_corrupt']
  const { required, optional } = question.parameters(parameters)
  const hasToken = [...required, ...optional].includes('asset_id')
  return ['market_not_stored', ...(hasToken ? (['asset_not_stored'] as const) : []), ...STREAMED_FAILURES]
}

function answer(question: Question, services: Services, parsed: ParsedQuery, request: Request): Promise<Response> {
  if (question.kind === 'index') return answerFromIndex(question, services, parsed, request)
  if (question.kind === 'records') return answerFromRecords(question, services, parsed, request)
  return question.respond(services, parsed, request)
}

async function answerFromIndex(question: IndexQuestion<string>, all: Services, parsed: ParsedQuery, request: Request) {
  const { catalogue, tagOf } = limitToSource(all, parsed.query)
  const { identity, make } = await question.read(catalogue, parsed)
  const etag = await tagOf([...identity, ...sourceIdentity(parsed.query)])
  return indexAnswer(request, { etag, isShort: question.isShort ?? false, make })
}

async function answerFromRecords(
  question: RecordsQuestion<string>,
  all: Services,
  parsed: ParsedQuery,
  request: Request,
) {
  const services = limitToSource(all, parsed.query)
  const { catalogue, secret, cache, workers, log } = services
  const plan = await question.plan(parsed, await secret(), catalogue)
  const { toMs, identity, isCacheable, calls = 1, missing } = plan
  const { market } = plan
  const names = question.parameters(parsed.parameters)
  if (typeof market === 'string') await assertAnswerable(catalogue, names, parsed, market)
  const rows = encodingOf(question, request, parsed.query, plan.columns ?? [])
  services.charge(request, calls)
  const { type, isCompressed } = HTTP_FORMATS[rows.format]
  const stamps = await stampsOf(services, parsed, plan)
  const format = rows.format === 'json' ? [] : [rows]
  const subject = [question.path, ...identity, ...sourceIdentity(parsed.query), ...format, ...stamps]
  const validators = {
    etag: await services.tagOf(subject),
    freshness: freshnessOf(toMs, parsed.nowMs, stamps),
    type,
    vary: formatsOf(question).length > 1 ? `accept, ${VARY}` : VARY,
    headers: missing === undefined ? {} : missingHeaders(missing),
  }
  const bodiless = answerWithoutBody(request, bodyHeaders(validators))
  if (bodiless !== undefined) return bodiless
  const encoding = isCompressed ? acceptedEncoding(request) : 'identity'
  const key = isCacheable ? JSON.stringify([encoding, ...subject]) : null
  const cached = key === null ? undefined : cache.response(key, validators, request)
  if (cached !== undefined) return cached
  const { envelope, data, dataCount } = await plan.answer(workers, rows)
  const isWrapped = rows.format === 'json' && envelope !== null
  const envelopeFields = envelope === null || isWrapped ? { data_count: dataCount } : envelope
  const headers = { ...validators.headers, ...envelopeHeaders(envelopeFields) }
  const keep = key === null ? undefined : cache.keep(key, headers)
  return bodyResponse(isWrapped ? jsonEnvelope(envelope, data) : data, {
    ...{ request, encoding, onLateFailure: lateFailure(log, request), keep },
    validators: { ...validators, headers },
  })
}

/** Returns the catalogue's stamp of each market of the plan. */
function stampsOf(
  { catalogue }: Services,
  { parameters: { venue } }: ParsedQuery,
  { market, fromMs, toMs, taggedFromMs = fromMs }: RecordsPlan,
) {
  const dates = { from: utcDate(taggedFromMs), to: utcDate(toMs) }
  const markets = typeof market === 'string' ? [market] : market
  return Promise.all(markets.map((each) => catalogue.stamp(venue, each, dates)))
}
