import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configuredAddresses } from '../../src/app/addresses.js'
import { loadConfig } from '../../src/config/config.js'
import { readFirstRun } from '../service/first-run.js'

/** Settings of the demo. */
export interface DemoOptions {
  readonly url: string
  /** Where logs, metrics and spans go: `url` unless the service has an ingest port. */
  readonly ingestUrl: string
  readonly apiKey: string
  /** Seconds of live streaming; infinite when absent. */
  readonly seconds: number
  readonly backfillSeconds: number
}

export const DEMO_USAGE = `npm run demo [-- --duration 10m | --once] [--backfill 1h] [--key KEY] [--url http://127.0.0.1:8080]
  --once      only the backfill, no live stream
  --key       an ingest key; the one in first-run.txt of the data folder when absent
  --url       address of a service whose settings are not those of this shell

All settings of the service (npm start -- --help) are read as the service reads them, from flags, ALIDADE_ variables and the
file that --config names: host, port, ingest_port and data_dir give its address and the location of its first-run.txt.
`
const VALUE_FLAGS = ['url', 'key', 'duration', 'backfill'] as const
const ONCE = '--once'
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

function seconds(text: string): number {
  const [, digits, unit] = /^(\d+)([smh]?)$/.exec(text) ?? []
  if (digits === undefined) throw new Error(`"${text}" is not a duration; use a form such as 90s, 10m or 1h`)
  return Number(digits) * (UNITS[unit ?? ''] ?? 1)
}

function keyOf(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return given
  if (existsSync(join(dataDir, 'first-run.txt'))) return readFirstRun(dataDir).apiKey
  throw new Error(
    `no key: start the service first (npm start), or give --key or the --data-dir that holds first-run.txt (looked in ${dataDir})`
  )
}

interface OwnFlags {
  readonly values: ReadonlyMap<string, string>
  readonly isOnce: boolean
  /** Flags that are settings of the service. */
  readonly rest: readonly string[]
}

function readOwnFlags(argv: readonly string[]): OwnFlags {
  const values = new Map<string, string>()
  const rest: string[] = []
  let isOnce = false
  for (let i = 0; i < argv.length; i++) {
    const [flag = '', ...given] = argv[i]!.split('=')
    const name = VALUE_FLAGS.find(own => `--${own}` === flag)
    if (flag === ONCE) isOnce = true
    else if (name === undefined) rest.push(argv[i]!)
    else values.set(name, given.length > 0 ? given.join('=') : (argv[++i] ?? ''))
  }
  return { values, isOnce, rest }
}

/** Reads the flags of the demo, and the settings of the service as the service does; throws a sentence for what cannot be used. */
export function parseDemoOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string
): DemoOptions {
  const { values, isOnce, rest } = readOwnFlags(argv)
  const config = loadConfig(rest, env, readFile)
  const { apiUrl, ingestUrl } = configuredAddresses(config)
  const url = values.get('url')?.replace(/\/+$/, '')
  const duration = values.get('duration')
  const live = duration === undefined ? Number.POSITIVE_INFINITY : seconds(duration)
  return {
    url: url ?? apiUrl,
    ingestUrl: url ?? ingestUrl,
    apiKey: keyOf(values.get('key'), config.dataDir),
    seconds: isOnce ? 0 : live,
    backfillSeconds: seconds(values.get('backfill') ?? '1h')
  }
}
