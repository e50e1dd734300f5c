import type { SignalStores } from '../../ports/stores.js'
import { eventsAlsoDeleting, logsAlsoDeleting, metricsAlsoDeleting, tracesAlsoDeleting } from './also-deleting.js'
import type { Engine } from '../shared/engine.js'
import type { StoreSignal } from '../shared/engine-descriptor.js'
import type { StoreChoice } from '../shared/store-choice.js'

/** A managed engine as far as signals are stored in it. */
type Managed = { readonly name: string } & Partial<SignalStores>

/** The store of each signal. While the embedded engine runs, deletions also reach what a signal that moved left there. */
export function chosenSignals(
  { signals }: StoreChoice,
  embedded: (Engine & SignalStores) | null,
  managed: readonly Managed[]
): SignalStores {
  const engines = [...(embedded ? [embedded] : []), ...managed]
  const storeOf = <Signal extends StoreSignal>(signal: Signal): SignalStores[Signal] => {
    const name = signals[signal]
    const store = engines.find(engine => engine.name === name)?.[signal]
    if (!store) throw new Error(`${name} is configured for ${signal} but not open`)
    return store as SignalStores[Signal]
  }
  const chosen = { logs: storeOf('logs'), metrics: storeOf('metrics'), events: storeOf('events'), traces: storeOf('traces') }
  if (!embedded) return chosen
  const { logs, metrics, events, traces } = embedded
  return {
    logs: chosen.logs === logs ? logs : logsAlsoDeleting(chosen.logs, logs),
    metrics: chosen.metrics === metrics ? metrics : metricsAlsoDeleting(chosen.metrics, metrics),
    events: chosen.events === events ? events : eventsAlsoDeleting(chosen.events, events),
    traces: chosen.traces === traces ? traces : tracesAlsoDeleting(chosen.traces, traces)
  }
}
