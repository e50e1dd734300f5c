import type { JobMonitor } from '../../src/ports/background-jobs.js'
import type { Logger } from '../../src/ports/logger.js'
import type { MonitoredJobs } from '../../src/telemetry/background-jobs.js'
import { monitorJobs } from '../../src/telemetry/background-jobs.js'
import { systemClock } from '../../src/telemetry/system-clock.js'

/** A logger that writes nothing. */
export const SILENT_LOGGER: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Background jobs whose failures go to `report`, as often as they would be logged, and nowhere else. */
export function quietJobs(report: (job: string, error: unknown) => void = () => undefined): MonitoredJobs {
  const note = (fields: object): void => {
    const { job, err } = fields as { readonly job: string; readonly err: unknown }
    report(job, err)
  }
  return monitorJobs({ clock: systemClock, logger: { info: () => undefined, warn: note, error: note } })
}

/** A monitor that reports nothing. */
export const QUIET_MONITOR: JobMonitor = { succeeded: () => undefined, failed: () => undefined }
