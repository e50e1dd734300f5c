import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredLog } from '../../domain/records/log.js'
import type { Position } from '../../domain/search.js'
import type { StoredSpan } from '../../domain/span.js'
import type { Timers } from '../../ports/timers.js'
import type { LogConditions } from '../../query/conditions.js'
import type { ExportRun } from '../../query/export/export-run.js'
import type { ExportSlots } from '../../query/export/export-slots.js'
import type { SpanConditions } from '../../query/export/exported-records.js'
import type { RecordExport } from '../../query/export/record-export.js'
import { exportBody } from '../export/export-body.js'
import { formatOf, type FileRequest, LOG_FILES, type RecordFiles, SPAN_FILES } from '../export/record-files.js'
import { typedRoutes } from '../json-schema.js'
import { readQueryBodies } from '../read-bodies.js'
import { admitStream, type AdmittedStream, type ReadAccess } from '../reader.js'
import { addScope } from '../scope.js'
import { endedWhenStalled } from '../stalled-reader.js'
import { EXPORT_LOGS, EXPORT_SPANS } from './exports-schemas.js'
import { conditionsOfBody } from './logs-query-requests.js'

/** Dependencies of `exportsRoutes`. */
export interface ExportsDeps extends ReadAccess {
  readonly logExport: RecordExport<StoredLog, LogConditions>
  readonly spanExport: RecordExport<StoredSpan, SpanConditions>
  readonly exportSlots: ExportSlots
  readonly timers: Timers
}

/** `POST /api/v1/logs/export` and `POST /api/v1/spans/export`. */
export function exportsRoutes(app: FastifyInstance, deps: ExportsDeps): void {
  addScope(app, 'exports', scope => {
    readQueryBodies(scope)
    typedRoutes(scope).post('/api/v1/logs/export', { schema: EXPORT_LOGS }, async (req, reply) => {
      const { start, end, order, limit, format, columns, escape_formulas: escapesFormulas, ...rest } = req.body ?? {}
      const query = { start, end, order, limit, conditions: conditionsOfBody(rest) }
      const open: OpenExport<StoredLog> = ({ namespace }) => deps.logExport.open(namespace, query)
      return sendExport(req, reply, deps, { files: LOG_FILES, requested: { format, columns, escapesFormulas }, open })
    })
    typedRoutes(scope).post('/api/v1/spans/export', { schema: EXPORT_SPANS }, async (req, reply) => {
      const { start, end, order, limit, format, columns, escape_formulas: escapesFormulas, ...rest } = req.body ?? {}
      const { min_duration: minDuration, max_duration: maxDuration, root_only: rootOnly, namespace: _, ...conditions } = rest
      const query = { start, end, order, limit, conditions: { ...conditions, minDuration, maxDuration, rootOnly } }
      const open: OpenExport<StoredSpan> = ({ namespace }) => deps.spanExport.open(namespace, query)
      return sendExport(req, reply, deps, { files: SPAN_FILES, requested: { format, columns, escapesFormulas }, open })
    })
  })
}

type OpenExport<Row extends Position> = (stream: AdmittedStream) => ExportRun<Row>

/** What is exported, and as what. */
interface Exported<Row extends Position> {
  readonly files: RecordFiles<Row>
  readonly requested: FileRequest
  readonly open: OpenExport<Row>
}

/** What fails before the first page is an ordinary error; what fails later breaks the connection. */
async function sendExport<Row extends Position>(
  req: FastifyRequest,
  reply: FastifyReply,
  deps: ExportsDeps,
  { files, requested, open }: Exported<Row>
): Promise<FastifyReply> {
  const stream = await admitStream(req, reply, deps)
  const { namespace, permit, signal, recheck } = stream
  try {
    const format = formatOf(files, requested, namespace.name)
    const run = open(stream)
    const release = deps.exportSlots.take(namespace.id)
    reply.raw.once('close', release)
    if (reply.raw.destroyed) release()
    const pages = run.pages(signal)[Symbol.asyncIterator]()
    const first = await pages.next().catch((error: unknown) => {
      release()
      throw error
    })
    const body = exportBody({ run, pages, first, format, requestId: req.id, recheck })
    const read = endedWhenStalled(body, deps.timers, () => reply.raw.destroy())
    const name = `${files.name}-${namespace.name}.${format.extension}`
    return await reply
      .type(format.contentType)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(read, { objectMode: false, highWaterMark: 1 }))
  } catch (error) {
    permit.release()
    throw error
  }
}
