import type { Clock } from '../../ports/clock.js'
import type { DuckDbOptions, DuckDbStores } from '../duckdb/duckdb-stores.js'
import { openDuckDbStores } from '../duckdb/duckdb-stores.js'

/** What the embedded engine is opened with. */
export interface EmbeddedOptions {
  readonly clock: Clock
  readonly logger: DuckDbOptions['logger']
  readonly jobs: DuckDbOptions['jobs']
  readonly limits?: DuckDbOptions['limits']
}

/** Starts the embedded engine in its folder. */
export function openEmbedded(folder: string, options: EmbeddedOptions): Promise<DuckDbStores> {
  return openDuckDbStores({
    dataDir: folder,
    clock: options.clock,
    logger: options.logger,
    jobs: options.jobs,
    ...(options.limits === undefined ? {} : { limits: options.limits })
  })
}
