import type { Logger } from 'pino'
import type { AccessDeps } from '../access/access.js'
import type { Clock } from '../ports/clock.js'
import type { OpenStoresOptions } from '../stores/assemble/open.js'
import type { AlertingDeps } from './alerting.js'
import type { ServiceStores } from './open-service-stores.js'

/** What a caller may put in place of the real thing; tests do. */
export interface AppOptions {
  readonly clock?: Clock
  readonly logger?: Logger
  /** Where the first start's text goes, once. */
  readonly print?: (text: string) => void
  /** Folder of the built console; `console/dist` of the package when absent. */
  readonly consoleFolder?: string
  readonly storeLimits?: OpenStoresOptions['limits']
  readonly spoolLimits?: OpenStoresOptions['spoolLimits']
  /** Called once with the opened stores. */
  readonly onStores?: (stores: ServiceStores) => void
  /** Called after each change of the control database, by whichever instance, once this one has followed it. */
  readonly onControlChange?: AccessDeps['onChange']
  /** Called after an evaluation here has stored events of a namespace. */
  readonly onAlertEvents?: AlertingDeps['onEvents']
  /** Called after events about gaps of log streams are stored here. */
  readonly onGapEvents?: (() => void) | undefined
  /** Called at each fail point of an evaluation and of a delivery. */
  readonly onAlertFailPoint?: AlertingDeps['reach']
  /** Cost of new password hashes; `DEFAULT_SCRYPT_COST` when absent. */
  readonly scryptCost?: AccessDeps['scryptCost']
}
