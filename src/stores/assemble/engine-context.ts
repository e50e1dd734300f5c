import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { Logger } from '../../ports/logger.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'

/** What a managed engine is opened beside. */
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
