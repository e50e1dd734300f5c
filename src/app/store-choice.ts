import type { Config } from '../config/config.js'
import { ENGINES } from '../stores/assemble/engines.js'
import type { ManagedEngine, StoreChoice } from '../stores/shared/store-choice.js'

/** Where each kind of data is stored, as the settings have it. */
export function storeChoice(config: Config): StoreChoice {
  const signals = {
    logs: config.logsStore,
    events: config.eventsStore,
    metrics: config.metricsStore,
    traces: config.tracesStore
  }
  const chosen = new Set<string>(Object.values(signals))
  const managed = ENGINES.filter(({ name }) => chosen.has(name)).map((engine): ManagedEngine => ({
    ...engine,
    ...engine.configure(config)
  }))
  return { signals, managed, databaseUrl: config.databaseUrl, spoolBytes: config.spoolSize }
}
