import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { parseRfc3339Ns } from '../../domain/timestamp.js'
import { parseDurationMs } from '../../query/promql/syntax/duration.js'

// Parameters of Prometheus's HTTP API: in the query string, or form-encoded in the body of a POST.

const FORM = /^application\/x-www-form-urlencoded(?:;|$)/i
const MAX_FORM_BYTES = 1024 * 1024
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
// What Prometheus itself takes as the ends of time, within what a double holds exactly.
const LIMIT_MS = 9_000_000_000_000

/** Reads form bodies as `URLSearchParams`. */
export function readFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body)))
  )
}

function badData(name: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `invalid parameter "${name}": ${detail}`, { field: name })
}

/** The parameters of one request. */
export class PrometheusParams {
  readonly #params: URLSearchParams

  constructor(req: FastifyRequest) {
    const query = req.url.indexOf('?')
    const params = new URLSearchParams(query < 0 ? '' : req.url.slice(query + 1))
    if (req.body instanceof URLSearchParams) for (const [name, value] of req.body) params.append(name, value)
    this.#params = params
  }

  text(name: string): string | undefined {
    return this.#params.get(name) || undefined
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw badData(name, 'it is required')
    return value
  }

  /** Every value of a repeated parameter, e.g. `match[]`. */
  all(name: string): readonly string[] {
    return this.#params.getAll(name)
  }

  /** A time: Unix seconds with a fraction, or RFC 3339. Milliseconds. */
  timeMs(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const ms = NUMBER.test(value) ? Math.round(Number(value) * 1000) : rfc3339Ms(value)
    if (ms === null || !Number.isFinite(ms)) throw badData(name, `cannot parse ${JSON.stringify(value)} to a valid timestamp`)
    return Math.min(Math.max(ms, -LIMIT_MS), LIMIT_MS)
  }

  /** A duration: `5m`, or seconds. Milliseconds. */
  durationMs(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const ms = NUMBER.test(value) ? Number(value) * 1000 : parseDurationMs(value)
    if (ms === null || !Number.isFinite(ms)) throw badData(name, `cannot parse ${JSON.stringify(value)} to a valid duration`)
    return ms
  }

  /** A count; 0 and absent mean no limit. */
  limit(): number {
    const value = this.text('limit')
    if (value === undefined) return Infinity
    if (!/^\d{1,9}$/.test(value)) throw badData('limit', 'it must be a whole number')
    return Number(value) || Infinity
  }
}

function rfc3339Ms(text: string): number | null {
  const ns = parseRfc3339Ns(text)
  return ns === null ? null : Number(ns / 1_000_000n)
}
