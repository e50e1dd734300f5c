import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import {
  logVerbosity,
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface as InterceptedCall,
  setLogVerbosity,
  type ServerInterceptor,
  type ServerUnaryCall,
  type StatusObject
} from '@grpc/grpc-js'
import type { KeyVerifier } from '../access/key-verifier.js'
import { budgetCallerOf } from '../http/body-caller.js'
import { toProblem } from '../http/error-reply.js'
import { toGatewayError } from '../http/error-translation.js'
import { logFault } from '../http/log-fault.js'
import type { ServerDeps } from '../http/server.js'
import { exportOtlp } from '../ingest/export-otlp.js'
import type { Ingest } from '../ingest/ingest.js'
import { exportResponse } from '../otlp/reply.js'
import { CallLog } from './call-log.js'
import { Callers, metadataValue, namespacesOfCall } from './caller.js'
import { definitionOf, exportServices, type ExportService } from './export-services.js'
import { meterCall } from './metered-call.js'
import { toStatus } from './status.js'

/** The dependencies of the gRPC receiver. */
export interface GrpcDeps extends Pick<
  ServerDeps,
  'logger' | 'newRequestId' | 'onResponse' | 'shortRequests' | 'requestLog' | 'budget' | 'timers' | 'connections'
> {
  readonly ingest: Ingest
  readonly keys: Pick<KeyVerifier, 'verify' | 'isStillGood' | 'prefixOf'>
}

type Call = ServerUnaryCall<Buffer, Buffer>

/** Calls of one connection that may be open at once: a message is held whole before it is looked at. */
const MAX_STREAMS = 16
// A connection that is silent for so long is pinged.
const KEEPALIVE_MS = 60_000
const OK_STATUS = 200

/** The OTLP/gRPC receiver (OTLP specification 1.11): the same use cases as OTLP/HTTP. */
export class GrpcServer {
  readonly #deps: GrpcDeps
  readonly #callers: Callers
  readonly #calls: CallLog
  readonly #server: Server
  /** Where connections arrive; those that their limit admits go to the gRPC server. */
  readonly #listener: NetServer

  constructor(deps: GrpcDeps) {
    this.#deps = deps
    this.#callers = new Callers(deps.keys)
    this.#calls = new CallLog(deps.requestLog, deps.newRequestId)
    // Failures are thrown or returned to the caller, and logged once, by our own code.
    setLogVerbosity(logVerbosity.NONE)
    this.#server = new Server({
      'grpc.max_receive_message_length': deps.ingest.limits.otlpBodyBytes,
      'grpc.max_concurrent_streams': MAX_STREAMS,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.enable_channelz': 0,
      interceptors: [this.#authenticateFirst]
    })
    for (const service of exportServices(deps.ingest)) {
      const Export = (call: Call, reply: sendUnaryData<Buffer>): void => this.#response(service, call, reply)
      this.#server.addService(definitionOf(service), { Export })
    }
    const grpc = this.#server.createConnectionInjector(ServerCredentials.createInsecure())
    this.#listener = createServer(socket => {
      if (deps.connections.admit(socket)) grpc.injectConnection(socket)
    })
  }

  /** Listens on the address; resolves to the port that was bound. Rejects when it is taken. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#listener.once('error', reject)
      this.#listener.listen({ host, port }, () => {
        this.#listener.off('error', reject)
        resolve((this.#listener.address() as AddressInfo).port)
      })
    })
  }

  /** Takes no more connections and calls; those in flight get the grace time, then they are cut. */
  async stop(graceMs: number): Promise<void> {
    this.#listener.close()
    const cut = setTimeout(() => this.#server.forceShutdown(), graceMs)
    await new Promise<void>(resolve => this.#server.tryShutdown(() => resolve()))
    clearTimeout(cut)
  }

  /** Refuses callers without a good key before a byte of their message is kept. */
  readonly #authenticateFirst: ServerInterceptor = ({ path }, call) => {
    let received: Metadata | null = null
    return new ServerInterceptingCall(call, {
      start: next => {
        next({
          onReceiveMetadata: (metadata, take) => {
            received = metadata
            this.#calls.begin(metadata, path, call.getPeer())
            const startedMs = performance.now()
            const refused = (route: string, error: unknown): StatusObject => this.#refused(error, route, startedMs, metadata)
            this.#admit(call, metadata, error => refused(path, error)).then(
              () => take(metadata),
              (error: unknown) => call.sendStatus(refused('unauthenticated', error))
            )
          },
          // Every call ends with it, even one that has its response.
          onCancel: () => received && this.#calls.end(received)
        })
      }
    })
  }

  /** Refuses callers without a good key; the messages of the others take their bytes of the budget. */
  async #admit(call: InterceptedCall, metadata: Metadata, refused: (error: unknown) => StatusObject): Promise<void> {
    const key = await this.#callers.keyOf(metadata, call.getPeer())
    this.#calls.note(metadata, { keyPrefix: this.#deps.keys.prefixOf(key) })
    const { budget, timers, ingest } = this.#deps
    const body = budget.open(budgetCallerOf(key, { ip: '' }))
    try {
      await meterCall(call, { body, maxBytes: ingest.limits.otlpBodyBytes, timers, refused })
    } catch (error) {
      body.release()
      throw error
    }
  }

  #response(service: ExportService, call: Call, reply: sendUnaryData<Buffer>): void {
    const startedMs = performance.now()
    const end = this.#deps.shortRequests?.begin()
    const trailer = new Metadata()
    const ended = this.#export(service, call, trailer).then(
      bytes => {
        this.#finished(service.path, OK_STATUS, startedMs)
        const namespace = metadataValue(trailer, 'x-resolved-namespace') ?? null
        this.#calls.note(call.metadata, { status: OK_STATUS, bytesIn: call.request.length, bytesOut: bytes.length, namespace })
        return () => reply(null, bytes, trailer)
      },
      (error: unknown) => {
        const status = this.#refused(error, service.path, startedMs, call.metadata)
        this.#calls.note(call.metadata, { bytesIn: call.request.length })
        return () => reply(status)
      }
    )
    void ended.then(send => send()).finally(end)
  }

  async #export(service: ExportService, call: Call, trailer: Metadata): Promise<Buffer> {
    const principal = await this.#callers.keyOf(call.metadata, call.getPeer())
    const { signal, useCase } = service
    const named = namespacesOfCall(call.metadata)
    const request = { principal, signal, protocol: 'grpc', body: call.request, form: 'protobuf', named } as const
    const partial = await exportOtlp({ useCase, status: this.#deps.ingest.otlpStatus }, request, {
      namespaceResolved: ({ name }) => trailer.set('x-resolved-namespace', name),
      rateTaken: () => undefined
    })
    return exportResponse('protobuf', service.rejected, partial)
  }

  #refused(thrown: unknown, path: string, startedMs: number, metadata: Metadata): StatusObject {
    const requestId = this.#deps.newRequestId()
    const error = toGatewayError(thrown)
    const problem = toProblem(error, requestId)
    if (problem.status >= 500) logFault(this.#deps.logger, { request_id: requestId, path }, error, 'export failed')
    this.#finished(path, problem.status, startedMs)
    this.#calls.note(metadata, { requestId, status: problem.status })
    return toStatus(problem, requestId)
  }

  /** Counted under the HTTP status of the same response. */
  #finished(route: string, status: number, startedMs: number): void {
    this.#deps.onResponse?.({ method: 'POST', route, status, durationMs: performance.now() - startedMs })
  }
}
