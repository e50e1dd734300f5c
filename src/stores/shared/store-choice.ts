import type { ConfiguredEngine, EngineDescriptor, StoreSignal } from './engine-descriptor.js'

/** Name of the engine in the data folder, which is the store of a signal without a managed one. */
export const EMBEDDED = 'duckdb'

/** A managed engine that stores a signal. */
export type ManagedEngine = Pick<EngineDescriptor, 'name' | 'title' | 'signals' | 'backup'> & ConfiguredEngine

/** Where each kind of data is stored. */
export interface StoreChoice {
  /** The name of the engine of each signal. */
  readonly signals: Readonly<Record<StoreSignal, string>>
  /** The managed engines among them. */
  readonly managed: readonly ManagedEngine[]
  /** PostgreSQL for users, keys and namespaces; null for the embedded database. */
  readonly databaseUrl: string | null
  /** Bytes that records may take on disk while a managed store does not respond, all stores together. */
  readonly spoolBytes: number
}

/** Everything in the data folder. */
export const ALL_EMBEDDED: StoreChoice = {
  signals: { logs: EMBEDDED, events: EMBEDDED, metrics: EMBEDDED, traces: EMBEDDED },
  managed: [],
  databaseUrl: null,
  spoolBytes: 0
}

/** Whether the embedded engine is needed at all. */
export function usesEmbedded({ signals }: StoreChoice): boolean {
  return Object.values(signals).includes(EMBEDDED)
}

/** Whether a signal is in a managed store. */
export function usesManaged({ managed }: StoreChoice): boolean {
  return managed.length > 0
}

/** Folder of the data folder in which records wait for managed stores. */
export const SPOOL_FOLDER = 'spool'

/** File of the data folder whose lock identifies the process that has it open. */
export const LOCK_FILE = 'lock'
