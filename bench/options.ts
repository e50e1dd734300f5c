import { parseArgs } from 'node:util'

/** Settings that all measurements share. */
export interface BenchOptions {
  /** Length of each measured run. */
  readonly seconds: number
  /** Rows that the query measurement loads. */
  readonly rows: number
  /** Series that the series measurement makes; --rows are its points. */
  readonly series: number
  /** Pause after the start before memory is read. */
  readonly restSeconds: number
  readonly repeats: number
  readonly seed: number
  /** Folder for the service's data; a temporary one when absent. */
  readonly dataDir: string | null
  /** Adds the results to bench/results/. */
  readonly isSaved: boolean
  /** The metric store, for measurements that know several. */
  readonly store: 'embedded' | 'influxdb'
  /** Also measures the peer of what is measured. */
  readonly withPeer: boolean
  /** Only these steps of a measurement, by name. */
  readonly only: readonly string[]
  /** Flags handed to Node in front of the service's entry, e.g. --cpu-prof. */
  readonly nodeArgs: readonly string[]
}

const SHORT_SECONDS = 20
const LONG_SECONDS = 180

/** Reads the flags behind the name of the measurement. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string' },
      long: { type: 'boolean', default: false },
      rows: { type: 'string', default: '1000000' },
      series: { type: 'string', default: '100000' },
      rest: { type: 'string', default: '10' },
      repeats: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      'data-dir': { type: 'string' },
      save: { type: 'boolean', default: false },
      store: { type: 'string', default: 'embedded' },
      peer: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      'node-args': { type: 'string', default: '' }
    }
  })
  const defaultSeconds = values.long ? LONG_SECONDS : SHORT_SECONDS
  return {
    seconds: values.seconds === undefined ? defaultSeconds : whole('seconds', values.seconds),
    rows: whole('rows', values.rows),
    series: whole('series', values.series),
    restSeconds: values.long ? 60 : whole('rest', values.rest),
    repeats: whole('repeats', values.repeats),
    seed: whole('seed', values.seed),
    dataDir: values['data-dir'] ?? null,
    isSaved: values.save,
    store: storeNamed(values.store),
    withPeer: values.peer,
    only: values.only.split(',').filter(name => name !== ''),
    nodeArgs: values['node-args'].split(' ').filter(arg => arg !== '')
  }
}

function storeNamed(text: string): BenchOptions['store'] {
  if (text === 'embedded' || text === 'influxdb') return text
  throw new Error(`--store wants embedded or influxdb, not "${text}"`)
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} wants a whole number, not "${text}"`)
  return value
}
