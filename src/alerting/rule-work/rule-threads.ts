import { GatewayError } from '../../domain/errors.js'
import { formatDurationMs } from '../../domain/duration.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Timers } from '../../ports/timers.js'
import type { QuerySettings } from '../../query/settings.js'
import { WorkerLink } from '../../threads/worker-link.js'
import type { RuleJob, RuleJobResult } from './rule-job.js'
import type { FromRuleThread } from './thread/messages.js'
import { entryFile } from '../../threads/entry-file.js'

/** Jobs at once of a gateway; a namespace has one of them. */
const MAX_JOBS = 2
/** Time of a job, the start of its thread included. */
export const RULE_JOB_TIMEOUT_MS = 10_000
/** Memory of a job. */
const HEAP_MB = 256

/** Dependencies of `RuleThreads`. */
export interface RuleThreadsDeps {
  readonly settings: QuerySettings
  readonly timers: Timers
  /** Compiled entry of the threads. */
  readonly entry?: string
  /** `RULE_JOB_TIMEOUT_MS` when absent. */
  readonly timeoutMs?: number
}

/**
 * Reads and tests rule files of tenants, each job on a thread of its own that ends with it. Nothing in a file can delay others:
 * not its YAML, not its regular expressions, not its number of evaluations.
 */
export class RuleThreads {
  readonly #deps: RuleThreadsDeps
  readonly #entry: string
  readonly #running = new Map<NamespaceId, WorkerLink<never, FromRuleThread>>()
  #isClosed = false

  constructor(deps: RuleThreadsDeps) {
    this.#deps = deps
    this.#entry = deps.entry ?? entryFile('rule-thread')
  }

  /**
   * Rejects with `rate_limited` while a job of the namespace runs, `overloaded` while others do, `query_timeout` after
   * `RULE_JOB_TIMEOUT_MS`, `invalid_field` beyond a bound of tests, and with the reason of the signal.
   */
  async run<Job extends RuleJob>(ns: NamespaceId, job: Job, signal: AbortSignal): Promise<RuleJobResult<Job>> {
    signal.throwIfAborted()
    if (this.#running.has(ns))
      throw new GatewayError('rate_limited', 'a rule file of this namespace is being read; try again after it', {
        retryAfterS: 1
      })
    if (this.#isClosed) throw stopping()
    if (this.#running.size >= MAX_JOBS)
      throw new GatewayError('overloaded', 'too many rule files are being read', { retryAfterS: 1 })
    return (await this.#run(ns, job, signal)) as RuleJobResult<Job>
  }

  /** Ends all jobs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running.values()].map(link => link.terminate()))
  }

  async #run(ns: NamespaceId, job: RuleJob, signal: AbortSignal): Promise<unknown> {
    const { settings, timers, timeoutMs = RULE_JOB_TIMEOUT_MS } = this.#deps
    const late = new AbortController()
    const cancel = timers.after(timeoutMs, () => late.abort(tooSlow(timeoutMs)))
    const either = AbortSignal.any([signal, late.signal])
    let settle: (message: FromRuleThread | null) => void = () => undefined
    const message = new Promise<FromRuleThread | null>(resolve => (settle = resolve))
    const link = new WorkerLink<never, FromRuleThread>(
      this.#entry,
      { data: { job, settings }, heapMb: HEAP_MB },
      { onMessage: settle, onExit: () => settle(null) }
    )
    this.#running.set(ns, link)
    const onAbort = (): void => void link.terminate()
    either.addEventListener('abort', onAbort)
    try {
      const received = await message
      either.throwIfAborted()
      if (received === null) throw this.#isClosed ? stopping() : endOf(link)
      if (received.kind === 'refused') throw new GatewayError('invalid_field', received.detail)
      return received.result
    } finally {
      cancel()
      either.removeEventListener('abort', onAbort)
      await link.terminate()
      this.#running.delete(ns)
    }
  }
}

function stopping(): GatewayError {
  return new GatewayError('overloaded', 'the service is shutting down', { retryAfterS: 1 })
}

function tooSlow(timeoutMs: number): GatewayError {
  const detail = `the files take more than ${formatDurationMs(timeoutMs)} to evaluate; split them, or shorten the tests`
  return new GatewayError('query_timeout', detail)
}

function endOf(link: WorkerLink<never, FromRuleThread>): GatewayError {
  if (link.isOutOfMemory)
    return new GatewayError('invalid_field', `the files need more than ${HEAP_MB} MiB of memory; split them`)
  return new GatewayError('internal', 'the rule files could not be evaluated', { cause: link.cause })
}
