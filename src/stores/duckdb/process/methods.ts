import type { NamespaceId } from '../../../domain/ids.js'
import { eventReader } from '../read/event-reader.js'
import { newSearchCells } from '../read/search-cells.js'
import { logReader } from '../read/log-reader.js'
import { type MetricReader, metricReader } from '../read/metric-reader.js'
import { traceReader } from '../read/trace-reader.js'
import type { Upkeep } from '../segments/upkeep.js'
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

// Named `logs.search` and the like. A read gets the call's own signal as its last argument.
function readsOf(prefix: string, reader: object): readonly (readonly [name: string, method: Method])[] {
  const reads = Object.entries(reader) as readonly (readonly [string, (...args: unknown[]) => unknown])[]
  return reads.map(([name, read]) => [`${prefix}.${name}`, (args, { signal }) => read(...args, signal)])
}

// The registry of series is read before any snapshot is opened, so what is acknowledged must be in it.
function afterPoints(engine: StoreEngine, method: Method): Method {
  return async (args, context) => {
    await engine.applied('points', args[0] as NamespaceId)
    return method(args, context)
  }
}

/** Everything that the parent may call. */
export function storeMethods(engine: StoreEngine, layout: TableLayout, close: () => Promise<void>): Methods {
  const metrics = metricReader(engine.snapshots, engine.series)
  // One memory for all kinds of records.
  const cells = newSearchCells()
  const byName = new Map<string, Method>([
    ['ping', () => engine.health],
    ...readsOf('logs', logReader(engine.snapshots, cells)),
    ...readsOf('events', eventReader(engine.snapshots, cells)),
    ...readsOf('traces', traceReader(engine.snapshots, { cells })),
    ...readsOf('metrics', {
      ...metrics,
      select: async (...args: Parameters<MetricReader['select']>) => packSamples(await metrics.select(...args))
    }).map(([name, method]) => [name, afterPoints(engine, method)] as const),
    ['deleteBefore', typed((_, ...args: Parameters<StoreEngine['deleteBefore']>) => engine.deleteBefore(...args))],
    ['dropNamespace', typed((_, ...args: Parameters<StoreEngine['dropNamespace']>) => engine.dropNamespace(...args))],
    ['unassignedSegments', typed((_, ns: NamespaceId) => engine.assignment.unassignedSegments(ns))],
    ['unassignedPage', typed((_, ...args: Parameters<Upkeep['unassignedPage']>) => engine.assignment.unassignedPage(...args))],
    ['assignPatterns', typed((_, ...args: Parameters<Upkeep['assignPatterns']>) => engine.assignment.assignPatterns(...args))],
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
