import type { TraceLogsArgs } from '../schema/trace.args.js'
import { idSpellings } from '../src/domain/trace-ids.js'
import { logWindow } from '../src/query/traces/trace-logs.js'
import type { Context } from './context.js'
import { LogCollector } from './log-collector.js'
import type { TraceSource } from './trace-source.js'

/** The logs of a trace, or of one of its spans; oldest first. */
export async function logsOf(
  trace: TraceSource,
  spanId: string | undefined,
  args: TraceLogsArgs,
  context: Context
): Promise<LogCollector> {
  const namespace = await context.namespace()
  const otherwise = logWindow(await trace.extent())
  const conditions = { traceId: idSpellings(trace.traceId), ...(spanId !== undefined && { spanId: idSpellings(spanId) }) }
  const query = { conditions, otherwise, order: 'asc', limit: args.first ?? undefined, cursor: args.after ?? undefined } as const
  return new LogCollector(async parts => context.use.logSearch.search(namespace, { ...query, ...parts }, context.signal))
}
