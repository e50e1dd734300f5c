import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import type { Log } from '../fault-log.js'
import type { Journal } from '../journal/journal.js'
import type { SealedBatch } from './batch-body.js'
import type { Delivery } from './deliverer.js'

/** What a source of lines needs of the agent to deliver them. */
export interface DeliveryDeps {
  readonly config: Pick<AgentConfig, 'logs'>
  readonly journal: Journal
  readonly clock: Clock
  /** Sends a batch until it is known what became of it. */
  readonly deliver: (batch: SealedBatch) => Promise<Delivery>
  readonly log: Log
}
