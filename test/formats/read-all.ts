import type { Session } from '../../bench/service/session.js'
import type { ApiRead } from './reads.js'

/** A read and its response. */
export interface RecordedRead extends ApiRead {
  readonly response: unknown
}

/** What differs from one reading to the next, and sentences, whose words may change. */
const VOLATILE: ReadonlySet<string> = new Set(['stats', 'next_cursor', 'warnings', 'infos', 'took_ms'])

const DIGITS = 12

/** A response without what differs from one reading to the next: the last bits of sums depend on the order of their parts. */
export function lasting(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(DIGITS))
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, member]) => [name, lasting(member)])
  )
}

/** Sends one read after the other. */
export async function readAll(session: Session, reads: readonly ApiRead[]): Promise<readonly RecordedRead[]> {
  const responses: RecordedRead[] = []
  for (const { method, path, body } of reads)
    responses.push({ method, path, body, response: lasting(await session.call<unknown>(method, path, body)) })
  return responses
}
