import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { StoredLog } from '../../domain/records/log.js'
import { windowReply } from '../../domain/time-range.js'
import type { Timers } from '../../ports/timers.js'
import type { LogQuery, LogStream } from '../../query/log-query.js'
import type { LogSearch } from '../../query/log-search.js'
import { toProblem } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import { logJson } from '../read-json/log-json.js'
import { admitStream, type ReadAccess } from '../reader.js'
import { warningSentence } from '../../domain/warning.js'
import { endedWhenStalled } from '../stalled-reader.js'

/** Lines that are put together before they are written. */
const LINES_PER_CHUNK = 100

interface Lines {
  readonly facts: LogStream['facts']
  readonly pages: AsyncIterator<readonly StoredLog[]>
  readonly first: IteratorResult<readonly StoredLog[]>
  readonly namespace: string
  /** All that the caller wants; null for everything. */
  readonly limit: number | null
  readonly requestId: string
  /** Rejects when the caller may not read any more. */
  readonly recheck: () => Promise<void>
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function lastLine({ facts: factsNow, limit }: Lines, count: number, isCut: boolean): string {
  const facts = factsNow()
  const sentences = facts.warnings.map(warningSentence)
  const warnings = isCut ? [...sentences, `the limit of ${limit} logs was reached`] : sentences
  return line({ complete: facts.complete && !isCut, count, window: windowReply(facts.window), warnings })
}

/** Once the first line is out the status cannot change: a fault is stated in the last line. */
function errorLine(error: unknown, requestId: string, count: number): string {
  return line({ complete: false, count, error: toProblem(toGatewayError(error), requestId).body })
}

async function* ndjson(lines: Lines): AsyncGenerator<string, void, undefined> {
  const { pages, namespace, limit } = lines
  let count = 0
  try {
    for (let next = lines.first; !next.done; next = await pages.next()) {
      const rows = limit === null ? next.value : next.value.slice(0, limit - count)
      for (let at = 0; at < rows.length; at += LINES_PER_CHUNK) {
        const chunk = rows.slice(at, at + LINES_PER_CHUNK)
        yield chunk.map(log => line(logJson(log, namespace))).join('')
        count += chunk.length
      }
      if (rows.length < next.value.length) {
        yield lastLine(lines, count, true)
        return
      }
      await lines.recheck()
    }
    yield lastLine(lines, count, false)
  } catch (error) {
    yield errorLine(error, lines.requestId, count)
  } finally {
    await pages.return?.()
  }
}

function aroundInStream(): GatewayError {
  const detail = 'around reads a page, a stream reads all that matches; leave out around, or accept application/json'
  return new GatewayError('invalid_field', detail, { field: 'around' })
}

/**
 * Streams every log that matches, one a line. Nothing is read ahead of the client but one page; when it goes away or takes
 * nothing for a minute, the query ends. What fails before the first page is an ordinary error. `invalid_field` for `around`.
 */
export async function streamLogs(
  req: FastifyRequest,
  reply: FastifyReply,
  deps: ReadAccess & { readonly logSearch: LogSearch; readonly timers: Timers },
  query: LogQuery
): Promise<FastifyReply> {
  if (query.around !== undefined) throw aroundInStream()
  const { namespace, signal, permit, recheck } = await admitStream(req, reply, deps)
  try {
    const { facts, pages } = deps.logSearch.stream(namespace, query, signal)
    const iterator = pages[Symbol.asyncIterator]()
    const first = await iterator.next()
    const limit = query.limit ?? null
    const lines = { facts, pages: iterator, first, namespace: namespace.name, limit, requestId: req.id, recheck }
    const read = endedWhenStalled(ndjson(lines), deps.timers, () => reply.raw.destroy())
    const body = Readable.from(read, { objectMode: false, highWaterMark: 1 })
    return reply.type('application/x-ndjson').send(body)
  } catch (error) {
    permit.release()
    throw error
  }
}
