import { Client, credentials, Metadata, type MethodDefinition, type ServiceError } from '@grpc/grpc-js'

/** How an export ended; `code` 0 is OK. */
export interface Exported {
  readonly code: number
  readonly details: string
  readonly reply: Buffer
  readonly trailer: Metadata
}

const SERVICES = {
  logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
  metrics: 'opentelemetry.proto.collector.metrics.v1.MetricsService',
  traces: 'opentelemetry.proto.collector.trace.v1.TraceService'
} as const

const asIs = (bytes: Buffer): Buffer => bytes

/** A gRPC client of the three OTLP services that sends bytes as they are. */
export class OtlpGrpcClient {
  readonly #client: Client

  constructor(url: string, options: object = {}) {
    this.#client = new Client(new URL(url).host, credentials.createInsecure(), options)
  }

  export(signal: keyof typeof SERVICES, body: Buffer, metadata: Readonly<Record<string, string>> | Metadata): Promise<Exported> {
    return this.call(`/${SERVICES[signal]}/Export`, body, metadata)
  }

  call(
    path: MethodDefinition<Buffer, Buffer>['path'],
    body: Buffer,
    headers: Readonly<Record<string, string>> | Metadata
  ): Promise<Exported> {
    const metadata = headers instanceof Metadata ? headers : new Metadata()
    if (metadata !== headers) for (const [key, value] of Object.entries(headers)) metadata.set(key, value)
    return new Promise(resolve => {
      let response: { error: ServiceError | null; reply: Buffer } = { error: null, reply: Buffer.alloc(0) }
      const call = this.#client.makeUnaryRequest(path, asIs, asIs, body, metadata, {}, (error, reply) => {
        response = { error, reply: reply ?? Buffer.alloc(0) }
      })
      call.on('status', ({ code, details, metadata: trailer }) => {
        // The callback comes with the status, in either order.
        setImmediate(() => resolve({ code, details, reply: response.reply, trailer }))
      })
    })
  }

  close(): void {
    this.#client.close()
  }
}
