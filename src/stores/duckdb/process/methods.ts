import type { NamespaceId } from '../../../domain/ids.js'
import { EventReader } from '../read/event-reader.js'
import { LogReader } from '../read/log-reader.js'
import { MetricReader } from '../read/metric-reader.js'
import { TraceReader } from '../read/trace-reader.js'
import type { TableLayout } from '../table-layout.js'
import { unpackAppend } from '../wire/packed-append.js'
import { packSamples } from '../wire/packed-samples.js'
import type { StoreEngine } from './engine.js'
import type { CallContext, Methods } from './pipe-server.js'

type Method = (args: readonly unknown[], context: CallContext) => unknown

// The only caller is the client of the same version, whose types vouch for the arguments.
function typed(method: (context: CallContext, ...args: never[]) => unknown): Method {
  return (args, context) => method(context, ...(args as never[]))
}

// A read gets the call's own signal as its last argument.
function read(method: (...args: never[]) => unknown): Method {
  return (args, { signal }) => method(...([...args, signal] as never[]))
}

// The registry of series is asked before any snapshot is opened, so what is acknowledged must be in it.
function afterPoints(engine: StoreEngine, method: Method): Method {
  return async (args, context) => {
    await engine.applied('points', args[0] as NamespaceId)
    return method(args, context)
  }
}

/** Everything that the parent may call. */
export function storeMethods(engine: StoreEngine, layout: TableLayout, close: () => Promise<void>): Methods {
  const logs = new LogReader(engine.snapshots)
  const metrics = new MetricReader(engine.snapshots, engine.series)
  const events = new EventReader(engine.snapshots)
  const traces = new TraceReader(engine.snapshots)
  const byName = new Map<string, Method>([
    ['ping', () => engine.health],
    ['logs.search', read(logs.search.bind(logs))],
    ['logs.page', read(logs.page.bind(logs))],
    ['logs.get', read(logs.get.bind(logs))],
    ['logs.fields', read(logs.fields.bind(logs))],
    [
      'metrics.select',
      afterPoints(
        engine,
        read(async (...args: Parameters<MetricReader['select']>) => packSamples(await metrics.select(...args)))
      )
    ],
    ['metrics.series', afterPoints(engine, read(metrics.series.bind(metrics)))],
    ['metrics.metrics', afterPoints(engine, read(metrics.metrics.bind(metrics)))],
    ['metrics.labels', afterPoints(engine, read(metrics.labels.bind(metrics)))],
    ['metrics.cardinality', afterPoints(engine, read(metrics.cardinality.bind(metrics)))],
    ['events.searchRum', read(events.searchRum.bind(events))],
    ['events.searchErrors', read(events.searchErrors.bind(events))],
    ['events.vitals', read(events.vitals.bind(events))],
    ['events.pageViews', read(events.pageViews.bind(events))],
    ['events.errorGroups', read(events.errorGroups.bind(events))],
    ['events.getRum', read(events.getRum.bind(events))],
    ['events.getError', read(events.getError.bind(events))],
    ['traces.searchSpans', read(traces.searchSpans.bind(traces))],
    ['traces.trace', read(traces.trace.bind(traces))],
    ['traces.smallTrace', read(traces.smallTrace.bind(traces))],
    ['traces.traceIdsBySuffix', read(traces.traceIdsBySuffix.bind(traces))],
    ['traces.searchTraces', read(traces.searchTraces.bind(traces))],
    ['traces.summaries', read(traces.summaries.bind(traces))],
    ['traces.newestOrigins', read(traces.newestOrigins.bind(traces))],
    ['traces.stats', read(traces.stats.bind(traces))],
    ['traces.serviceEdges', read(traces.serviceEdges.bind(traces))],
    ['traces.fields', read(traces.fields.bind(traces))],
    ['deleteBefore', typed((_, ...args: Parameters<StoreEngine['deleteBefore']>) => engine.deleteBefore(...args))],
    ['dropNamespace', typed((_, ...args: Parameters<StoreEngine['dropNamespace']>) => engine.dropNamespace(...args))],
    ['sealAll', () => engine.sealAll()],
    ['upkeep', () => engine.upkeep()],
    ['sizes', () => engine.figures.sizes()],
    ['recordsByKind', () => engine.figures.recordsByKind()],
    ['gauges', () => engine.figures.gauges()],
    ['backup', typed((_, folder: string) => engine.backup(folder))],
    ['close', close]
  ])
  return { byName, append: payload => engine.append(unpackAppend(payload, layout), payload) }
}
