import { GatewayError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/stores.js'
import type { DuckDbLimits } from './limits.js'

/** What the embedded engine writes its log lines with; pino satisfies it. */
export interface StoreLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** How to open the embedded engine. */
export interface DuckDbOptions {
  /** Folder that this process owns; made when missing. Hot file, segments and lock live below it. */
  readonly dataDir: string
  /** Absolute path of the compiled `stores/duckdb/process/main.js`. */
  readonly entry: string
  readonly clock: Clock
  readonly logger?: StoreLogger
  readonly limits?: Partial<DuckDbLimits>
  /** How long to wait for another process to let go of the data folder, default 10 s. */
  readonly lockWaitMs?: number
  /** Name of the crash point at which the child ends itself; for crash tests (`write/fail-points.ts`). */
  readonly failPoint?: string
}

/**
 * Starts the store process and resolves once it answers. Rejects with `conflict` when another process holds the data
 * folder, and with a sentence when its format is newer than this version.
 */
export function openDuckDbStores(_options: DuckDbOptions): Promise<Stores> {
  throw new GatewayError('not_implemented', 'openDuckDbStores')
}
