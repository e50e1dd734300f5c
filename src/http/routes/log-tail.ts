import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseDurationMs } from '../../domain/duration.js'
import { GatewayError } from '../../domain/errors.js'
import type { Timers } from '../../ports/timers.js'
import type { LogTail, OpenTail } from '../../query/log-tail/log-tail.js'
import { STATUS, toProblem } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import { eventText } from '../event-text.js'
import { type Static, typedRoutes } from '../json-schema.js'
import { logFault } from '../log-fault.js'
import { logJson } from '../read-json/log-json.js'
import { admitStream, type AdmittedStream, type ReadAccess } from '../reader.js'
import { endedWhenStalled } from '../stalled-reader.js'
import type { SocketCounts } from '../subscriptions/socket-counts.js'
import { TAIL_LOGS } from './log-tail-schema.js'
import { conditionsOfQuery } from './logs-query-requests.js'

/** Dependencies of `logTailRoute`. */
export interface LogTailRouteDeps extends ReadAccess {
  readonly logTail: LogTail
  /** A live tail has a place among the sockets: it runs for hours, and costs nothing while nothing arrives. */
  readonly socketCounts: Pick<SocketCounts, 'admit'>
  readonly timers: Timers
}

const EVERY_MS = 250
const MAX_ROWS = 200
const MAX_DURATION_MS = 86_400_000
const SERVER_FAULT = 500
/** Milliseconds after which a client connects again whose connection broke. */
const RETRY_MS = 1_000

type TailParameters = Static<typeof TAIL_LOGS.querystring>

/** `GET /api/v1/logs/tail`: the live tail as a stream of events (HTML, "Server-sent events"). */
export function logTailRoute(app: FastifyInstance, deps: LogTailRouteDeps): void {
  const running = new Set<AbortController>()
  app.addHook('preClose', async () => running.forEach(one => one.abort()))
  typedRoutes(app).get('/api/v1/logs/tail', { schema: TAIL_LOGS, exposeHeadRoute: false }, async (req, reply) => {
    const lastId = req.headers['last-event-id']
    const after = typeof lastId === 'string' && lastId !== '' ? lastId : req.query.after
    const stream = await admitStream(req, reply, deps)
    stream.permit.release()
    return sendTail(req, reply, deps, { stream, parameters: { ...req.query, after }, running })
  })
}

interface RequestedTail {
  readonly stream: AdmittedStream
  readonly parameters: TailParameters
  /** Ends the tails that run. Not one signal for all: it would keep something of each read that depends on it. */
  readonly running: Set<AbortController>
}

async function sendTail(
  req: FastifyRequest,
  reply: FastifyReply,
  { logTail, socketCounts, timers }: LogTailRouteDeps,
  { stream, parameters, running }: RequestedTail
): Promise<FastifyReply> {
  const { principal, namespace, recheck } = stream
  const { after, every, max = MAX_ROWS, duration, ...conditions } = parameters
  const durationMs = duration === undefined ? null : durationOf(duration)
  const query = { conditions: conditionsOfQuery(conditions), after, everyMs: everyOf(every), max }
  const ended = new AbortController()
  const signal = AbortSignal.any([stream.signal, ended.signal])
  const tail = logTail.open(namespace, query, signal)
  const releases = [socketCounts.admit(principal, namespace.id), () => running.delete(ended)]
  running.add(ended)
  if (durationMs !== null) releases.push(timers.after(durationMs, () => ended.abort()))
  const release = (): void => releases.forEach(one => one())
  reply.raw.once('close', release)
  if (reply.raw.destroyed) release()
  const events = tailEvents(tail, { namespace: namespace.name, request: req, recheck, signal })
  const read = endedWhenStalled(events, timers, () => reply.raw.destroy())
  return reply
    .type('text/event-stream')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(Readable.from(read, { objectMode: false, highWaterMark: 1 }))
}

/** Who follows a tail. */
interface Follower extends Pick<AdmittedStream, 'recheck' | 'signal'> {
  /** Name of the namespace. */
  readonly namespace: string
  readonly request: FastifyRequest
}

/** The events of a tail; the first one has no logs, and the place where the tail begins. */
async function* tailEvents(
  { cursor, deliveries }: OpenTail,
  { namespace, request, recheck, signal }: Follower
): AsyncGenerator<string, void, undefined> {
  try {
    yield `retry: ${RETRY_MS}\n${eventText({ id: cursor, event: 'logs', data: { logs: [], dropped: 0 } })}`
    for await (const { rows, dropped, cursor: id } of deliveries) {
      await recheck()
      yield eventText({ id, event: 'logs', data: { logs: rows.map(row => logJson(row, namespace)), dropped } })
    }
  } catch (thrown) {
    if (signal.aborted) return
    const error = toGatewayError(thrown)
    if (STATUS[error.code] >= SERVER_FAULT) logFault(request.log, { request_id: request.id }, error, 'live tail failed')
    yield eventText({ event: 'problem', data: toProblem(error, request.id).body })
  }
}

function everyOf(every: string | undefined): number {
  const ms = every === undefined ? EVERY_MS : parseDurationMs(every)
  if (ms !== null) return ms
  throw new GatewayError('invalid_field', `every must be a duration such as 250ms (got ${every})`, { field: 'every' })
}

function durationOf(duration: string): number {
  const ms = parseDurationMs(duration)
  if (ms !== null && ms > 0 && ms <= MAX_DURATION_MS) return ms
  throw new GatewayError('invalid_field', `duration must be at most 1d, such as 10m (got ${duration})`, { field: 'duration' })
}
