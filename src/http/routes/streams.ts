import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { StreamGap } from '../../domain/log-stream.js'
import { warningSentence } from '../../domain/warning.js'
import type { ReportedStream, StreamProofResult, StreamReport } from '../../query/streams/stream-report.js'
import { typedRoutes } from '../json-schema.js'
import { factsJson, pageJson, tookJson } from '../read-json/facts-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { type GapReply, LIST_STREAMS, type ProofReply, PROVE_STREAM, type StreamReply } from './streams-schemas.js'

export interface StreamsDeps extends ReadAccess {
  readonly streamReport: StreamReport
}

const timeJson = (ms: number): string => new Date(ms).toISOString()

function gapJson({ from, to, lines, reason, code, merged, atMs }: StreamGap): GapReply {
  return { from, to, lines, reason, code, merged, at: timeJson(atMs) }
}

function streamJson(stream: ReportedStream): StreamReply {
  const { id, host, path, kind, service, state, end, head, anchor, lines, stored, rejected } = stream
  return {
    id,
    host_id: stream.hostId,
    host,
    path,
    kind,
    service,
    state,
    end,
    from: stream.bytesFrom,
    to: stream.bytesTo,
    first_line: stream.firstLine,
    last_line: stream.lineTo,
    lines,
    stored,
    rejected,
    next_seq: stream.nextSeq,
    head,
    anchor,
    lag_bytes: stream.lagBytes,
    first_at: timeJson(stream.firstAtMs),
    last_at: timeJson(stream.lastAtMs),
    complete: stream.gapCount === 0,
    gap_count: stream.gapCount,
    gaps: stream.gaps.map(gapJson)
  }
}

function proofJson(proof: StreamProofResult): ProofReply {
  const { coveredMs, firstLine: first, lastLine: last, expected, lines: arrived, stored, recounted } = proof
  return {
    stream: streamJson(proof.stream),
    complete: proof.complete,
    sentence: proof.sentence,
    covered: coveredMs === null ? null : { start: timeJson(coveredMs.min), end: timeJson(coveredMs.max) },
    lines: { first, last, expected, arrived, stored, recounted },
    bytes: proof.bytes,
    gaps: proof.gapsInWindow.map(gapJson),
    warnings: proof.warnings.map(warningSentence),
    stats: { took_ms: tookJson(proof.tookMs) }
  }
}

/** Registers `GET /api/v1/streams` and `GET /api/v1/streams/{id}/proof`. */
export function streamsRoutes(app: FastifyInstance, deps: StreamsDeps): void {
  const routes = typedRoutes(app)
  routes.get('/api/v1/streams', { schema: LIST_STREAMS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { host_id: hostId, state, cursor: after, ...query } = req.query
      const states = state === undefined ? undefined : [state]
      const result = await deps.streamReport.list(namespace, { ...query, hostId, states, after })
      const { streams, hasMore, limit } = result
      const nextCursor = hasMore ? (streams.at(-1)?.id ?? null) : null
      return { streams: streams.map(streamJson), ...pageJson({ nextCursor, hasMore, limit }, null), ...factsJson(result) }
    })
  )
  routes.get('/api/v1/streams/:id/proof', { schema: PROVE_STREAM }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const proof = await deps.streamReport.prove(namespace, req.params.id, req.query, signal)
      if (proof === null) throw new GatewayError('not_found', 'the namespace has no log stream of this id')
      return proofJson(proof)
    })
  )
}
