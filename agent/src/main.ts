#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runAgent } from './agent.js'
import { checkConfig } from './check.js'
import { type AgentConfig, ConfigError } from './config/config.js'
import { keyFileFault } from './config/key-file.js'
import { configPath, DEFAULT_CONFIG, parseConfig } from './config/load-config.js'
import { processRightsFault } from './host/process-rights.js'
import { hostId } from './host-id.js'
import { collectOnce } from './once.js'
import { runReloaded } from './run-reloaded.js'

const HELP = `alidade-agent [--config FILE] [--check | --once]

Follows log files, delivers each line once, sends the metrics of this machine, and reports what listens on it.
SIGHUP reads the configuration again.

  --config FILE  configuration; SERVICE_CONFIG, else ${DEFAULT_CONFIG}
  --check        print what would be read, and end; with 1 if some of it cannot be read
  --once         print the metrics and the report of this machine, and end
`

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function log(event: string, fields: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), msg: event, ...fields })}\n`)
}

/** The file that is named, else the default one where it is there: without one, the environment decides. */
function readConfig(named: string | null): string {
  const path = named ?? DEFAULT_CONFIG
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (named === null && error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const OPTIONS = {
  config: { type: 'string' },
  check: { type: 'boolean' },
  once: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }
} as const

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}

/** Ends with 1 when something cannot be read. */
async function check(config: AgentConfig): Promise<void> {
  const { lines, isReadable } = await checkConfig(config)
  print(lines.join('\n'))
  if (!isReadable) process.exitCode = 1
}

async function main(): Promise<void> {
  const values = readArguments()
  if (values.help) return print(HELP)
  const read = (): AgentConfig => parseConfig(readConfig(configPath(values.config, process.env)), process.env)
  const config = read()
  if (values.check) return check(config)
  if (values.once) return print((await collectOnce(config, log)).join('\n'))
  await runUntilStopped(config, read)
  log('agent stopped', {})
}

/** SIGTERM and SIGINT end the agent, SIGHUP reads the configuration again. */
async function runUntilStopped(first: AgentConfig, read: () => AgentConfig): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const run = async (config: AgentConfig, signal: AbortSignal): Promise<void> => {
    const { url, host, listeners, logs, metrics } = config
    const keyFault = keyFileFault(config)
    if (keyFault !== null) log('API key not protected', { err: keyFault })
    const { id, from } = hostId()
    log('agent started', { url, host, hostId: id, hostIdFrom: from, files: logs.files.map(file => file.path) })
    const rightsFault = listeners.enabled || metrics.enabled ? processRightsFault() : null
    if (rightsFault !== null) log('processes of other users not visible', { err: rightsFault })
    const none = { ...logs, files: [], journald: null, docker: null }
    await runAgent({ config: logs.enabled ? config : { ...config, logs: none }, hostId: id, log, signal })
  }
  const onReload = (reload: () => void): (() => void) => {
    process.on('SIGHUP', reload)
    return () => process.off('SIGHUP', reload)
  }
  await runReloaded({ first, read, run, onReload, log, signal: stop.signal })
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
  process.exitCode = 1
}
