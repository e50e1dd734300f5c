import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { Logger } from '../../ports/logger.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { ReadGaps } from '../../ports/read-gaps.js'
import type { SignalStores } from '../../ports/stores.js'
import type { SettingsTable, SettingValues } from '../../settings/setting.js'
import type { Engine } from './engine.js'
import type { Finding } from './finding.js'

/** Every signal that has a store of its own choice, by what its records are called. Settings and sentences follow this order. */
export const STORE_SIGNALS = {
  logs: 'logs',
  events: 'page timings and errors',
  metrics: 'metrics',
  traces: 'traces'
} as const satisfies Record<keyof SignalStores, string>

/** A key of `STORE_SIGNALS`. */
export type StoreSignal = keyof typeof STORE_SIGNALS

/** What a managed engine may use of the gateway that opens it. */
export interface EngineContext {
  readonly control: ControlStore
  readonly directory: NamespaceDirectory
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: BackgroundJobs
  /** `[a-z0-9]+`, different for every control database: installations may share an engine. */
  readonly installation: string
  /** Active series of one namespace. */
  readonly maxSeries: number
  /** How long a read may take. */
  readonly queryTimeoutMs: number
}

/** A managed engine that is open, with the stores of its signals. */
export interface OpenedEngine extends Engine, Partial<SignalStores> {
  /** Acknowledged data that reads of this engine lack. */
  readonly gaps: ReadGaps
}

/** A managed engine with the settings that reach its server. */
export interface ConfiguredEngine {
  /** Connects; a server that is unreachable fails the calls, one that can never serve rejects with `unsupported_by_store`. */
  open(context: EngineContext): Promise<OpenedEngine>
  /** Examines the server as `npm run admin -- doctor` does. Leaves nothing behind, and never rejects. */
  examine(clock: Clock): Promise<readonly Finding[]>
}

/** A contradiction in settings: whether there is one, and the sentence on it. */
export type Contradiction = readonly [isWrong: boolean, sentence: string]

/**
 * All that the service knows about a managed engine. `src/stores/assemble/engines.ts` lists the descriptors; settings,
 * `--help`, start, doctor and backup follow from that list. Its file imports the engine itself dynamically, so that a
 * gateway loads the code of no engine that it does not use.
 */
export interface EngineDescriptor<Table extends SettingsTable = SettingsTable> {
  /** Value of `logs_store` and the like, in health and in names of gauges. */
  readonly name: string
  /** The product, for sentences. */
  readonly title: string
  /** The signals that it can store. */
  readonly signals: readonly StoreSignal[]
  /** How to copy what it stores, which a backup of the gateway lacks: continues "are in <title>: ". */
  readonly backup: string
  /** Its settings; every key starts with the name of the engine. */
  readonly settings: Table
  /** The setting that has the address of the server; its engine is the default store of its signals. */
  readonly address: string
  /** Whether the settings have an address. */
  isConfigured(values: SettingValues<Table>): boolean
  /** What contradicts itself or is incomplete, other than that a signal lacks the address of its store. */
  contradictions(values: SettingValues<Table>): readonly Contradiction[]
  /** The engine at its address. Called only without contradictions and if `isConfigured`. */
  configure(values: SettingValues<Table>): ConfiguredEngine
}
