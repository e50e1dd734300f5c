import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import { storageFull } from '../disk/disk-room.js'

/** How long a rejected write counts: an engine that works again sends nothing to the spool. */
const LASTS_MS = 30_000
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

/** The error that a caller gets for a failed write: `storage_full` for a full disk, else `store_unavailable`. */
export function spoolRefusal(error: unknown): GatewayError {
  if (isGatewayError(error)) return error
  if (DISK_FULL.has((error as NodeJS.ErrnoException).code ?? '') || String(error).includes('ENOSPC')) return storageFull()
  return new GatewayError('store_unavailable', 'the store is unavailable and the spool cannot be written', {
    retryAfterS: 5,
    cause: error
  })
}

/** The latest reason why the spool rejected records. Logs a reason of the disk once, until it changes. */
export class SpoolTrouble {
  readonly #clock: Clock
  readonly #logger: Logger
  #reason = ''
  #sinceMs = 0

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  /** The reason of the last 30 s as a sentence; empty without one. */
  get text(): string {
    return this.#clock.monotonicMs() - this.#sinceMs < LASTS_MS ? this.#reason : ''
  }

  /** The spool or a share of it is full. */
  full(reason: string): void {
    this.#set(reason)
  }

  /** A write to the disk failed (an error) or succeeded (null). */
  wrote(failure: unknown): void {
    const reason = failure === null ? '' : spoolRefusal(failure).message
    if (reason !== '' && reason !== this.#reason) this.#logger.error({ err: failure }, 'records cannot be spooled')
    this.#set(reason)
  }

  #set(reason: string): void {
    this.#reason = reason
    this.#sinceMs = this.#clock.monotonicMs()
  }
}
