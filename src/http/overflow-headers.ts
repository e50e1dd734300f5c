import type { FastifyReply } from 'fastify'
import type { OverflowReply } from '../ingest/ingest-request.js'

/** Reports in headers the points that were added to overflow series, for responses without a body. */
export function setOverflowHeaders(reply: FastifyReply, overflow: OverflowReply | undefined): void {
  if (overflow === undefined) return
  void reply.header('x-overflow-samples', String(overflow.points))
  // Labels are any text, half a surrogate pair too; headers are not.
  if (overflow.label !== null) void reply.header('x-overflow-label', encodeURIComponent(Buffer.from(overflow.label).toString()))
}
