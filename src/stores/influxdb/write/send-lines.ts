import type { HttpError } from '@influxdata/influxdb-client'
import { ownMessage, statusOf, storeError } from '../client/influx-errors.js'
import type { InfluxClient } from '../client/influx-client.js'

/** A line that InfluxDB itself refused. */
export interface Refusal {
  /** Place of the line in what was sent. */
  readonly line: number
  readonly reason: string
}

/** Requests that are spent on finding the lines at fault; beyond it the part under suspicion is refused whole. */
const MAX_SEARCH_REQUESTS = 64
const MAX_REASON_CHARS = 300
const LOWER_BOUND = /dropped (\d+) points outside retention policy/

interface Part {
  readonly lines: readonly string[]
  /** Place of the first line. */
  readonly from: number
}

/**
 * Writes lines, each ended by a line feed. Resolves once they are on InfluxDB's disk, with those that it refused. Rejects
 * when the whole request failed: nothing or a part of it is stored, and all of it may be sent again.
 */
export async function sendLines(client: InfluxClient, bucket: string, text: string): Promise<readonly Refusal[]> {
  const query = `org=${encodeURIComponent(client.org)}&bucket=${encodeURIComponent(bucket)}&precision=ns`
  const once = (body: string): Promise<unknown> => client.call({ method: 'POST', path: `/api/v2/write?${query}`, body })
  const send = (body: string): Promise<unknown> =>
    once(body).catch((error: unknown) => {
      if (isNotOpenYet(error)) return once(body)
      throw error
    })
  try {
    await send(text)
    return []
  } catch (error) {
    if (!isAboutLines(error)) throw error
    return new FaultSearch(send).explain({ lines: text.split('\n').slice(0, -1), from: 0 }, error)
  }
}

/** InfluxDB 2 lists a bucket a moment before its engine can write to it; points that are sent twice are stored once. */
function isNotOpenYet(error: unknown): boolean {
  return statusOf(error) === 500 && ownMessage(error as HttpError)?.includes('database not found') === true
}

/**
 * 400: nothing is stored; 413: nothing is stored; 422: the lines that are not dropped are stored. A proxy may know that a
 * body is too large, and nothing else of lines.
 */
function isAboutLines(error: unknown): error is HttpError {
  const status = statusOf(error)
  if (status === 413) return true
  return (status === 400 || status === 422) && ownMessage(error as HttpError) !== null
}

/** Finds the lines at fault by sending halves again, which stores no point twice. */
class FaultSearch {
  readonly #send: (body: string) => Promise<unknown>
  #left = MAX_SEARCH_REQUESTS

  constructor(send: (body: string) => Promise<unknown>) {
    this.#send = send
  }

  async explain(part: Part, error: HttpError): Promise<readonly Refusal[]> {
    const words = ownMessage(error) ?? 'it is too large'
    const reason = `InfluxDB rejected the point: ${words.slice(0, MAX_REASON_CHARS)}`
    const old = error.statusCode === 422 ? tooOld(part.lines, reason) : null
    if (old) return old.map(line => ({ line: part.from + line, reason }))
    if (part.lines.length === 1 || this.#left < 2) return part.lines.map((_line, i) => ({ line: part.from + i, reason }))
    const half = Math.ceil(part.lines.length / 2)
    return [
      ...(await this.#try({ lines: part.lines.slice(0, half), from: part.from })),
      ...(await this.#try({ lines: part.lines.slice(half), from: part.from + half }))
    ]
  }

  async #try(part: Part): Promise<readonly Refusal[]> {
    this.#left--
    try {
      await this.#send(part.lines.map(line => `${line}\n`).join(''))
      return []
    } catch (error) {
      if (!isAboutLines(error)) throw storeError(error, 'writing points')
      return this.explain(part, error)
    }
  }
}

function timeOf(line: string): bigint {
  return BigInt(line.slice(line.lastIndexOf(' ') + 1))
}

/**
 * The lines that were dropped for their age, when that alone was the reason: the bucket's bound cuts off the oldest ones,
 * so their number identifies them. Null if it does not.
 */
function tooOld(lines: readonly string[], reason: string): readonly number[] | null {
  const dropped = Number(LOWER_BOUND.exec(reason)?.[1] ?? 0)
  if (dropped === 0 || dropped > lines.length) return null
  const byAge = lines
    .map((line, i) => ({ i, time: timeOf(line) }))
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  return byAge.slice(0, dropped).map(({ i }) => i)
}
