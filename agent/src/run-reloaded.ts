import { type AgentConfig, ConfigError } from './config/config.js'
import type { Log } from './fault-log.js'

/** An agent whose configuration can be read again. */
export interface ReloadedRun {
  readonly first: AgentConfig
  /** Reads the configuration again. Throws `ConfigError`. */
  readonly read: () => AgentConfig
  /** Runs an agent until the signal. Rejects with `ConfigError` for a configuration that the service refuses. */
  readonly run: (config: AgentConfig, signal: AbortSignal) => Promise<void>
  /** Calls back on each request to read the configuration again; returns how to end that. */
  readonly onReload: (reload: () => void) => () => void
  readonly log: Log
  readonly signal: AbortSignal
}

/** Runs the agent until the signal, and starts it again with each configuration that is read. One that cannot be used changes nothing. */
export async function runReloaded({ first, read, run, onReload, log, signal }: ReloadedRun): Promise<void> {
  const refused = (error: unknown): void => {
    if (!(error instanceof ConfigError)) throw error
    log('configuration refused', { err: error.message })
  }
  let config = first
  let before: AgentConfig | null = null
  while (!signal.aborted) {
    const restart = new AbortController()
    let next: AgentConfig | null = null
    const end = onReload(() => {
      try {
        next = read()
        restart.abort()
      } catch (error) {
        refused(error)
      }
    })
    try {
      await run(config, AbortSignal.any([signal, restart.signal]))
      if (next === null) return
      log('configuration read again', {})
      ;[before, config] = [config, next]
    } catch (error) {
      if (before === null) throw error
      refused(error)
      ;[config, before] = [before, null]
    } finally {
      end()
    }
  }
}
