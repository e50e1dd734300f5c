import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyReceiver } from '../body-receiver.js'
import { isDecimal } from '../../domain/decimal.js'
import { GatewayError } from '../../domain/errors.js'
import { parseRfc3339Ns } from '../../domain/timestamp.js'
import { isBeyondDurations, parsePromqlDurationMs } from '../../query/promql/syntax/duration.js'

const PREFIX = 'U__'
/** What is not an underscore, an underscore (doubled), or the code point of a character between two. */
const PARTS = /^(?:[^_]|__|_[0-9a-f]{1,6}_)*$/i
const ESCAPE = /__|_([0-9a-f]{1,6})_/gi
const MAX_CODE_POINT = 0x10ffff

function characterOf(hex: string): string | null {
  const code = Number.parseInt(hex, 16)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code > MAX_CODE_POINT || isSurrogate ? null : String.fromCodePoint(code)
}

/**
 * The name of a label in a path: `U__http_2e_status` is `http.status`, as Grafana writes names that are not words. An invalid
 * escape is a literal name (Prometheus's "values" escaping of UTF-8 names).
 */
export function labelNameOf(text: string): string {
  const escaped = text.slice(PREFIX.length)
  if (!text.startsWith(PREFIX) || !PARTS.test(escaped)) return text
  let isSound = true
  const name = escaped.replaceAll(ESCAPE, (_, hex: string | undefined) => {
    const character = hex === undefined ? '_' : characterOf(hex)
    isSound &&= character !== null
    return character ?? ''
  })
  return isSound ? name : text
}

// Parameters of Prometheus's HTTP API: in the query string, or form-encoded in the body of a POST.

const FORM = /^application\/x-www-form-urlencoded(?:;|$)/i
const MAX_FORM_BYTES = 256 * 1024
const WHOLE = /^[+-]?\d{1,15}$/
const MS_PER_S = 1_000
// What Prometheus itself takes as the ends of time, within what a double holds exactly.
const LIMIT_MS = 9_000_000_000_000

/** Reads form bodies as `URLSearchParams`. */
export function readFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    FORM,
    async (request: FastifyRequest) =>
      new URLSearchParams((await BodyReceiver.of(app).receive(request, MAX_FORM_BYTES)).toString())
  )
}

/** What is wrong with one parameter, in Prometheus's form. */
export function badData(name: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `invalid parameter "${name}": ${detail}`, { field: name })
}

/** The parameters of one request. */
export class PrometheusParams {
  readonly #params: URLSearchParams

  constructor(req: FastifyRequest) {
    const query = req.url.indexOf('?')
    // A parameter in both places has the value of the form, as in Go.
    const params = new URLSearchParams(req.body instanceof URLSearchParams ? req.body : '')
    for (const [name, value] of new URLSearchParams(query < 0 ? '' : req.url.slice(query + 1))) params.append(name, value)
    this.#params = params
  }

  text(name: string): string | undefined {
    return this.#params.get(name) || undefined
  }

  /** The query; the empty string is refused by its parser. */
  get query(): string {
    return this.text('query') ?? ''
  }

  /** Every value of a repeated parameter, e.g. `match[]`. */
  all(name: string): readonly string[] {
    return this.#params.getAll(name)
  }

  /** A time: Unix seconds with a fraction, or RFC 3339. Milliseconds. */
  timeMs(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const ms = isDecimal(value) ? Math.round(Number(value) * 1000) : rfc3339Ms(value)
    if (ms === null || !Number.isFinite(ms)) throw noTime(name, value)
    return Math.min(Math.max(ms, -LIMIT_MS), LIMIT_MS)
  }

  /** As `timeMs`, of a required time. */
  requiredTimeMs(name: string): number {
    const ms = this.timeMs(name)
    if (ms === undefined) throw noTime(name, '')
    return ms
  }

  /** A duration: `5m`, or seconds. Milliseconds. */
  durationMs(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const ms = isDecimal(value) ? Number(value) * 1000 : parsePromqlDurationMs(value)
    if (ms === null || isBeyondDurations(ms / MS_PER_S)) throw noDuration(name, value)
    return ms
  }

  /** As `durationMs`, of a required duration. */
  requiredDurationMs(name: string): number {
    const ms = this.durationMs(name)
    if (ms === undefined) throw noDuration(name, '')
    return ms
  }

  /** A whole number that may be negative. */
  whole(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (!WHOLE.test(value)) throw badData(name, `${JSON.stringify(value)} is not an integer`)
    return Number(value)
  }

  /** A count; 0 and absent mean no limit. */
  limit(): number {
    const limit = this.whole('limit') ?? 0
    if (limit < 0) throw badData('limit', 'limit must be non-negative')
    return limit || Infinity
  }
}

function noTime(name: string, value: string): GatewayError {
  return badData(name, `cannot parse ${JSON.stringify(value)} to a valid timestamp`)
}

function noDuration(name: string, value: string): GatewayError {
  return badData(name, `cannot parse ${JSON.stringify(value)} to a valid duration`)
}

function rfc3339Ms(text: string): number | null {
  const ns = parseRfc3339Ns(text)
  return ns === null ? null : Number(ns / 1_000_000n)
}
