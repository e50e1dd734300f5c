/** Reports how one background job goes. */
export interface JobMonitor {
  /** A run did everything that was due. */
  succeeded(): void
  /** A run or a part of it failed and is retried later; `details` go to the log only. */
  failed(error: unknown, details?: Readonly<Record<string, unknown>>): void
}

/** A job that runs again and again until it is stopped. */
export interface RepeatedJob {
  /** Resolves when the run in progress has ended; no other begins. */
  stop(): Promise<void>
}

/**
 * Work that no request waits for. Each job has a constant name in snake_case (never a tenant's string); its failures are logged,
 * counted in `/metrics` and, when they repeat, shown in health.
 */
export interface BackgroundJobs {
  /** The monitor of a job that has a schedule of its own. */
  monitor(job: string): JobMonitor
  /** Runs the job once and reports its end; a part of it may report its own failure to the job's monitor. Never rejects. */
  run(job: string, work: () => Promise<void>): Promise<void>
  /** Runs the job `everyMs` after its last run has ended; runs never overlap and a failed one does not end it. */
  repeat(job: string, everyMs: number, work: () => Promise<void>): RepeatedJob
}

/** How often a job has failed since the start. */
export interface JobFailures {
  readonly job: string
  /** Since the start. */
  readonly failures: number
  /** Since the last success. */
  readonly failuresInARow: number
  /** Unix milliseconds of the first failure since the last success; null when the last run succeeded. */
  readonly failingSinceMs: number | null
}
