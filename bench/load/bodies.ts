import { LogSource } from '../generate/logs.js'
import { PointSource } from '../generate/metrics.js'
import { seededRandom } from '../generate/random.js'
import type { Random } from '../generate/random.js'
import { rfc3339Writer } from '../generate/time.js'

/** Returns the next request body; the buffer is the caller's until the next call after its response. */
export interface BodySource {
  readonly path: string
  readonly itemsPerBody: number
  next(): Buffer
  /** Bodies as text, for the calibration against `JSON.parse`. */
  samples(): readonly string[]
}

const POOL_BODIES = 400
const SINGLE_POOL_BODIES = 20_000
const ID = /"(?:trace|span)_id":"([0-9a-f]+)"/g
const TIME = /"timestamp":"([^"]{30})"/g

interface PooledBody {
  readonly bytes: Buffer
  readonly times: readonly number[]
  readonly ids: readonly { readonly at: number; readonly length: number }[]
}

function offsets(text: string, pattern: RegExp): { at: number; length: number }[] {
  return [...text.matchAll(pattern)].map(m => ({ at: m.index + m[0].length - 1 - m[1]!.length, length: m[1]!.length }))
}

/**
 * Log bodies made beforehand; before each use their event times become now and their trace and span ids are drawn again,
 * in place, so that the load generator spends next to nothing and no two requests are equal.
 */
export class PooledLogs implements BodySource {
  readonly path: string
  readonly itemsPerBody: number
  #pool: readonly PooledBody[]
  #random: Random
  #time = rfc3339Writer()
  #at = 0
  #nowMs: () => number

  constructor(options: { readonly seed: number; readonly batch: number; readonly nowMs: () => number }) {
    const source = new LogSource(options.seed)
    this.itemsPerBody = options.batch
    this.path = options.batch === 1 ? '/api/v1/logs' : '/api/v1/logs/batch'
    this.#random = seededRandom(options.seed + 1)
    this.#nowMs = options.nowMs
    const bodies = options.batch === 1 ? SINGLE_POOL_BODIES : Math.max(4, Math.floor((POOL_BODIES * 200) / options.batch))
    this.#pool = Array.from({ length: bodies }, () => pooledBody(source, options.batch))
  }

  next(): Buffer {
    const body = this.#pool[this.#at++ % this.#pool.length]!
    const ms = this.#nowMs()
    const seconds = Math.floor(ms / 1000)
    let nanoseconds = (ms % 1000) * 1_000_000
    for (const at of body.times) body.bytes.write(this.#time(seconds, nanoseconds++), at, 'latin1')
    for (const id of body.ids) body.bytes.write(this.#random.hex(id.length), id.at, 'latin1')
    return body.bytes
  }

  samples(): readonly string[] {
    return this.#pool.slice(0, Math.ceil(20_000 / this.itemsPerBody)).map(body => body.bytes.toString('latin1'))
  }
}

function pooledBody(source: LogSource, batch: number): PooledBody {
  const lines = Array.from({ length: batch }, () => source.next(0, 0))
  const text = batch === 1 ? lines[0]! : `{"logs":[${lines.join(',')}]}`
  return { bytes: Buffer.from(text, 'latin1'), times: offsets(text, TIME).map(o => o.at), ids: offsets(text, ID) }
}

/** Metric bodies, generated as they are sent. */
export class FreshPoints implements BodySource {
  readonly path = '/api/v1/ingest/batch'
  readonly itemsPerBody: number
  #source: PointSource

  constructor(options: { readonly seed: number; readonly batch: number; readonly startNs: bigint }) {
    this.itemsPerBody = options.batch
    // One millisecond between sweeps over the 1,000 series keeps every point within the age window however fast it goes.
    this.#source = new PointSource({ seed: options.seed, hosts: 10, startNs: options.startNs, stepNs: 1_000_000n })
  }

  next(): Buffer {
    const points = Array.from({ length: this.itemsPerBody }, () => this.#source.next())
    return Buffer.from(`{"metrics":[${points.join(',')}]}`, 'latin1')
  }

  samples(): readonly string[] {
    return Array.from({ length: 20 }, () => this.next().toString('latin1'))
  }
}
