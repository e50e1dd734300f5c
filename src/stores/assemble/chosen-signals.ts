import type { SignalStores } from '../../ports/stores.js'
import { eventsAlsoDeleting, logsAlsoDeleting, metricsAlsoDeleting, tracesAlsoDeleting } from './also-deleting.js'
import type { EngineOf } from '../shared/engine.js'
import type { StoreChoice } from '../shared/store-choice.js'

/** The engines that were opened; those that no signal needs are null. */
export interface OpenedEngines {
  readonly duckdb: EngineOf<'logs' | 'metrics' | 'events' | 'traces'> | null
  readonly elasticsearch: EngineOf<'logs' | 'events' | 'traces'> | null
  readonly influxdb: EngineOf<'metrics'> | null
}

function opened<T>(engine: T | null, name: string): T {
  if (engine === null) throw new Error(`${name} is configured but not open`)
  return engine
}

/** The store of each signal. While the embedded engine runs, deletions also reach what a signal that moved left there. */
export function chosenSignals(choice: StoreChoice, engines: OpenedEngines): SignalStores {
  const { duckdb } = engines
  const logs = opened(engines[choice.logs], choice.logs).logs
  const metrics = opened(engines[choice.metrics], choice.metrics).metrics
  const events = opened(engines[choice.events], choice.events).events
  const traces = opened(engines[choice.traces], choice.traces).traces
  if (!duckdb) return { logs, metrics, events, traces }
  return {
    logs: choice.logs === 'duckdb' ? logs : logsAlsoDeleting(logs, duckdb.logs),
    metrics: choice.metrics === 'duckdb' ? metrics : metricsAlsoDeleting(metrics, duckdb.metrics),
    events: choice.events === 'duckdb' ? events : eventsAlsoDeleting(events, duckdb.events),
    traces: choice.traces === 'duckdb' ? traces : tracesAlsoDeleting(traces, duckdb.traces)
  }
}
