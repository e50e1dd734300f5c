import type { BackgroundJobs, JobFailures, JobMonitor, RepeatedJob } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { Logger } from '../ports/logger.js'

/** Failures in a row from which on a job counts as failing: one alone may be a restart of a store. */
export const REPEATED_FAILURES = 2
/** A job that fails in the same way is logged once in so long. */
export const LOG_AGAIN_MS = 60_000
/** Different messages of one job that are remembered for that; beyond it each is logged. */
const MAX_REMEMBERED = 100

/** Background jobs of this process, with the state of each. */
export interface MonitoredJobs extends BackgroundJobs {
  /** Every job that was ever monitored, by name. */
  states(): readonly JobFailures[]
  /** Jobs that failed repeatedly and have not succeeded since. */
  failing(): readonly JobFailures[]
}

/** Logs, counts and remembers the failures of one job. */
class MonitoredJob implements JobMonitor {
  readonly #job: string
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #loggedAtMs = new Map<string, number>()
  #failures = 0
  #failuresInARow = 0
  #failingSinceMs: number | null = null

  constructor(job: string, clock: Clock, logger: Logger) {
    this.#job = job
    this.#clock = clock
    this.#logger = logger
  }

  get state(): JobFailures {
    return {
      job: this.#job,
      failures: this.#failures,
      failuresInARow: this.#failuresInARow,
      failingSinceMs: this.#failingSinceMs
    }
  }

  succeeded(): void {
    if (this.#failingSinceMs === null) return
    const fields = { job: this.#job, failures: this.#failuresInARow, failing_since: timeOf(this.#failingSinceMs) }
    this.#logger.info(fields, 'background job recovered')
    this.#failuresInARow = 0
    this.#failingSinceMs = null
    this.#loggedAtMs.clear()
  }

  failed(error: unknown, details: Readonly<Record<string, unknown>> = {}): void {
    this.#failures++
    this.#failuresInARow++
    this.#failingSinceMs ??= this.#clock.nowMs()
    if (!this.#isDue(error, details)) return
    const fields = {
      job: this.#job,
      failures: this.#failuresInARow,
      failing_since: timeOf(this.#failingSinceMs),
      ...details,
      err: error
    }
    if (this.#failuresInARow < REPEATED_FAILURES) this.#logger.warn(fields, 'background job failed')
    else this.#logger.error(fields, 'background job failed repeatedly')
  }

  /** Whether the same failure was not logged lately; a job that begins to fail repeatedly is logged once more. */
  #isDue(error: unknown, details: object): boolean {
    const nowMs = this.#clock.monotonicMs()
    const key = `${error instanceof Error ? error.message : String(error)} ${JSON.stringify(details)}`
    const loggedAtMs = this.#loggedAtMs.get(key)
    const isNewlyRepeated = this.#failuresInARow === REPEATED_FAILURES
    if (loggedAtMs !== undefined && nowMs - loggedAtMs < LOG_AGAIN_MS && !isNewlyRepeated) return false
    if (this.#loggedAtMs.size >= MAX_REMEMBERED) this.#loggedAtMs.clear()
    this.#loggedAtMs.set(key, nowMs)
    return true
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** Monitors background jobs; their failures are logged with `logger`. */
export function monitorJobs({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): MonitoredJobs {
  const jobs = new Map<string, MonitoredJob>()
  const of = (name: string): MonitoredJob => {
    const job = jobs.get(name) ?? new MonitoredJob(name, clock, logger)
    jobs.set(name, job)
    return job
  }
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    const job = of(name)
    const { failures } = job.state
    try {
      await work()
    } catch (error) {
      job.failed(error)
      return
    }
    if (job.state.failures === failures) job.succeeded()
  }
  const states = (): JobFailures[] => [...jobs.values()].map(({ state }) => state).toSorted((a, b) => (a.job < b.job ? -1 : 1))
  return {
    monitor: of,
    run,
    repeat: (name, everyMs, work) => repeat(everyMs, () => run(name, work)),
    states,
    failing: () => states().filter(({ failuresInARow }) => failuresInARow >= REPEATED_FAILURES)
  }
}

/** `round` never rejects. */
function repeat(everyMs: number, round: () => Promise<void>): RepeatedJob {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = (): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      running = round().finally(schedule)
    }, everyMs)
    timer.unref()
  }
  schedule()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    }
  }
}
