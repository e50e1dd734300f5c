import type { Timers } from '../ports/timers.js'

/** The system's own timers; they keep no process alive. */
export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  }
}
