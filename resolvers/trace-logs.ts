import type { TraceLogsArgs } from '../schema/trace.args.js'
import { idSpellings, linkedTraceIds } from '../src/domain/trace-ids.js'
import { logWindow } from '../src/query/traces/trace-logs.js'
import type { LogSearchResult } from '../src/query/log-query.js'
import type { Context } from './context.js'
import { LogCollector } from './log-collector.js'
import type { TraceSource } from './trace-source.js'

/** Adds which other traces logs may belong to that have only the last 16 digits of the trace id. */
export async function withSharedLogs(
  search: Promise<LogSearchResult>,
  traceId: string,
  context: Context
): Promise<LogSearchResult> {
  const shared = context.namespace().then(async ns => context.use.traceLogs.shared(ns, traceId, context.signal))
  const [result, warnings] = await Promise.all([search, shared])
  return { ...result, warnings: [...result.warnings, ...warnings] }
}

/** The logs of a trace, or of one of its spans; oldest first. */
export async function logsOf(
  trace: TraceSource,
  spanId: string | undefined,
  args: TraceLogsArgs,
  context: Context
): Promise<LogCollector> {
  const namespace = await context.namespace()
  const otherwise = logWindow(await trace.extent())
  const conditions = { traceId: linkedTraceIds(trace.traceId), ...(spanId !== undefined && { spanId: idSpellings(spanId) }) }
  const query = { conditions, otherwise, order: 'asc', limit: args.first ?? undefined, cursor: args.after ?? undefined } as const
  return new LogCollector(context, namespace, query, async search => withSharedLogs(search, trace.traceId, context))
}
