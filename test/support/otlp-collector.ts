// A collector of traces: takes OTLP over HTTP in protobuf and gives the spans as values. Only the fields that tests look
// at are decoded; the numbers are those of opentelemetry/proto/trace/v1/trace.proto.

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Record<string, string | number>
  events: string[]
  statusCode: number
}

export type Collector = {
  url: string
  spans: Span[]
  resource: Record<string, string | number>
  headers: Headers[]
  /** Everything that was sent, as text. */
  text: () => string
  [Symbol.asyncDispose](): Promise<void>
}

export function startCollector(): Collector {
  const bodies: Uint8Array[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (new URL(request.url).pathname !== '/v1/traces') return new Response('not here', { status: 404 })
      const body = new Uint8Array(await request.arrayBuffer())
      bodies.push(body)
      collector.headers.push(request.headers)
      for (const resourceSpans of fieldsOf(body, 1)) {
        for (const resource of fieldsOf(resourceSpans, 1)) Object.assign(collector.resource, attributesOf(resource, 1))
        for (const scope of fieldsOf(resourceSpans, 2)) collector.spans.push(...fieldsOf(scope, 2).map(toSpan))
      }
      return new Response(new Uint8Array(0), { headers: { 'content-type': 'application/x-protobuf' } })
    },
  })
  const collector: Collector = {
    url: `http://127.0.0.1:${server.port}`,
    spans: [],
    resource: {},
    headers: [],
    text: () => bodies.map((body) => new TextDecoder('latin1').decode(body)).join('\n'),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return collector
}

function toSpan(bytes: Uint8Array): Span {
  const hex = (number: number) => Buffer.from(fieldsOf(bytes, number)[0] ?? []).toString('hex')
  const text = (from: Uint8Array, number: number) => new TextDecoder().decode(fieldsOf(from, number)[0])
  const values = read(bytes)
  const number = (field: number) => values.find((each) => each.field === field)?.value as bigint | undefined
  const status = read(fieldsOf(bytes, 15)[0] ?? new Uint8Array(0)).find(({ field }) => field === 3)?.value
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: text(bytes, 5),
    kind: Number(number(6) ?? 0n),
    startNs: number(7) ?? 0n,
    endNs: number(8) ?? 0n,
    attributes: attributesOf(bytes, 9),
    events: fieldsOf(bytes, 11).map((event) => text(event, 2)),
    statusCode: Number((status as bigint | undefined) ?? 0n),
  }
}

function attributesOf(bytes: Uint8Array, field: number): Record<string, string | number> {
  const entries = fieldsOf(bytes, field).map((pair) => {
    const name = new TextDecoder().decode(fieldsOf(pair, 1)[0])
    const [value] = read(fieldsOf(pair, 2)[0]!)
    if (value!.value instanceof Uint8Array) return [name, new TextDecoder().decode(value!.value)]
    return [name, value!.field === 4 ? Buffer.from(bigBytes(value!.value)).readDoubleLE() : Number(value!.value)]
  })
  return Object.fromEntries(entries)
}

function bigBytes(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const fieldsOf = (bytes: Uint8Array, field: number) =>
  read(bytes).flatMap((each) => (each.field === field && each.value instanceof Uint8Array ? [each.value] : []))

/** The fields of a message of protobuf: varints and fixed numbers as bigint, the rest as bytes. */
function read(bytes: Uint8Array): { field: number; value: bigint | Uint8Array }[] {
  const fields: { field: number; value: bigint | Uint8Array }[] = []
  const buffer = Buffer.from(bytes)
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < buffer.length) {
    const tag = Number(varint())
    const [field, wire] = [tag >> 3, tag & 7]
    if (wire === 0) fields.push({ field, value: varint() })
    else if (wire === 1) {
      fields.push({ field, value: buffer.readBigUInt64LE(at) })
      at += 8
    } else if (wire === 2) {
      const length = Number(varint())
      fields.push({ field, value: new Uint8Array(buffer.subarray(at, at + length)) })
      at += length
    } else if (wire === 5) {
      fields.push({ field, value: BigInt(buffer.readUInt32LE(at)) })
      at += 4
    } else throw new Error(`protobuf has no wire type ${wire}`)
  }
  return fields
}
