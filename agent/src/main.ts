#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runAgent } from './agent.js'
import { checkConfig } from './check.js'
import { ConfigError } from './config/config.js'
import { DEFAULT_CONFIG, parseConfig } from './config/load-config.js'
import { hostId } from './host-id.js'

const HELP = `alidade-agent [--config FILE] [--check]

Follows log files, delivers each line once, and sends the metrics of this machine.

  --config FILE  configuration; SERVICE_CONFIG, else ${DEFAULT_CONFIG}
  --check        print what would be read, and end
`

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function log(event: string, fields: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), msg: event, ...fields })}\n`)
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { config: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) return print(HELP)
  const path = values.config ?? process.env['SERVICE_CONFIG'] ?? DEFAULT_CONFIG
  const config = parseConfig(readConfig(path), process.env)
  if (values.check) return print((await checkConfig(config)).join('\n'))
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  log('agent started', { url: config.url, host: config.host, files: config.logs.files.map(file => file.path) })
  await runAgent({
    config: config.logs.enabled ? config : { ...config, logs: { ...config.logs, files: [] } },
    hostId: hostId(),
    log,
    signal: stop.signal
  })
  log('agent stopped', {})
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
  process.exitCode = 1
}
