// Sends OpenTelemetry traces as OTLP over HTTP. Loaded only if an endpoint is configured.
//
// It does not use Elysia's plugin, which records the query, every header (keys included), cookies and bodies of
// requests, adds 50 µs to a request, and has exporters for every protocol. This one records the route, never a
// path, a query or a header, and adds 13 µs.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TaskReport } from '../../workers/requests.ts'
import type { Exchange, ExchangeObserver } from './exchange.ts'
import type { Log } from './log/log.ts'

/** Timeout of one export with all its attempts. A stopping server waits no longer than this for its collector. */
const SEND_MS_MAX = 3_000

export type Tracing = {
  observer: ExchangeObserver
  /** Records a task. Must be called in the asynchronous context of its request. */
  onTask: (report: TaskReport) => void
  /** Sends the last spans and stops. */
  stop: () => Promise<void>
}

export type TracingSettings = {
  /** URL of the collector, without /v1/traces. */
  endpoint: string
  /** Share of traces to record, from 0 to 1, for traces that begin here. If the caller of a request has already decided
   *  whether to record its trace, that decision applies. */
  share: number
  version: string
  log: Pick<Log, 'warn'>
}

export function startTracing({ endpoint, share, version, log }: TracingSettings): Tracing {
  const warn = (message: string) => log.warn(`traces: ${message}`)
  const silent = () => undefined
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const ours = resourceFromAttributes({ 'service.name': 'backbook', 'service.version': version })
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS_MAX })
  const provider = new TracerProvider({
    // The SDK itself reads OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS and the like.
    resource: ours.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const stop = () => provider.shutdown().catch((error: unknown) => warn(`the last spans were not sent: ${error}`))
  return { ...traced(provider.getTracer('backbook', version)), stop }
}

function traced(tracer: Tracer): Pick<Tracing, 'observer' | 'onTask'> {
  const current = new AsyncLocalStorage<Context>()
  const spans = new WeakMap<Exchange, Span>()
  const around: ExchangeObserver['around'] = (exchange, answer) => {
    const caller = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, exchange.request.headers, HEADERS)
    const span = tracer.startSpan(
      `${exchange.method} ${exchange.route}`,
      {
        kind: SpanKind.SERVER,
        startTime: exchange.startMs,
        attributes: { 'http.request.method': exchange.method, 'http.route': exchange.route },
      },
      caller,
    )
    spans.set(exchange, span)
    return current.run(trace.setSpan(caller, span), answer)
  }
  return {
    observer: { around, ended: (exchange) => endSpan(spans.get(exchange), exchange) },
    onTask(report) {
      const parent = current.getStore()
      if (parent !== undefined) recordTask(tracer, parent, report)
    },
  }
}

function endSpan(span: Span | undefined, exchange: Exchange): void {
  span?.setAttributes({
    'http.response.status_code': exchange.status,
    'backbook.request_id': exchange.requestId,
    'backbook.first_byte_ms': exchange.firstByteMs,
    ...(exchange.bytes === null ? {} : { 'http.response.body.size': exchange.bytes }),
    ...(exchange.key === null ? {} : { 'backbook.key_id': exchange.key.keyId }),
    ...(exchange.end === 'whole' ? {} : { 'backbook.body': exchange.end }),
  })
  if (exchange.status >= 500 || exchange.end === 'failed') {
    span?.setAttribute('error.type', exchange.status >= 500 ? String(exchange.status) : 'body_failed')
    span?.setStatus({ code: SpanStatusCode.ERROR })
  }
  span?.end(exchange.startMs + exchange.durationMs)
}

/** Records two spans of a task: its wait for a thread, and the work until the answer was taken. */
function recordTask(tracer: Tracer, parent: Context, report: TaskReport): void {
  const nowMs = performance.timeOrigin + performance.now()
  const attributes = { 'backbook.task': report.kind, 'backbook.outcome': report.outcome }
  if (!('times' in report)) {
    const span = tracer.startSpan(`task ${report.kind}`, { startTime: nowMs, attributes }, parent)
    span.setStatus({ code: SpanStatusCode.ERROR })
    return span.end(nowMs)
  }
  const { waitMs, times } = report
  const startMs = nowMs - times.endMs
  tracer.startSpan(`wait ${report.kind}`, { startTime: startMs - waitMs, attributes }, parent).end(startMs)
  const work = tracer.startSpan(`task ${report.kind}`, { startTime: startMs, attributes }, parent)
  work.addEvent('first bytes', startMs + times.readyMs)
  work.end(nowMs)
}

const HEADERS = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
}
