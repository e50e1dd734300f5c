import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readFirstRun } from '../service/first-run.js'

/** Settings of the demo. */
export interface DemoOptions {
  readonly url: string
  readonly apiKey: string
  /** Seconds of live streaming; infinite when absent. */
  readonly seconds: number
  readonly backfillSeconds: number
}

export const DEMO_USAGE = `npm run demo [-- --url http://127.0.0.1:8080] [--key KEY | --data-dir ./data] [--duration 10m | --once] [--backfill 1h]
  --once      only the backfill, no live stream
`
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

function seconds(text: string): number {
  const [, digits, unit] = /^(\d+)([smh]?)$/.exec(text) ?? []
  if (digits === undefined) throw new Error(`"${text}" is no duration; 90s, 10m and 1h are`)
  return Number(digits) * (UNITS[unit ?? ''] ?? 1)
}

function keyOf(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return given
  if (existsSync(join(dataDir, 'first-run.txt'))) return readFirstRun(dataDir).apiKey
  throw new Error(
    `no key: start the service first (npm start), or give --key or the --data-dir that holds first-run.txt (looked in ${dataDir})`
  )
}

/** Reads the flags; throws a sentence for what cannot be used. */
export function parseDemoOptions(argv: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      key: { type: 'string' },
      'data-dir': { type: 'string', default: './data' },
      duration: { type: 'string' },
      once: { type: 'boolean', default: false },
      backfill: { type: 'string', default: '1h' }
    }
  })
  const live = values.duration === undefined ? Number.POSITIVE_INFINITY : seconds(values.duration)
  return {
    url: values.url.replace(/\/+$/, ''),
    apiKey: keyOf(values.key, values['data-dir']),
    seconds: values.once ? 0 : live,
    backfillSeconds: seconds(values.backfill)
  }
}
