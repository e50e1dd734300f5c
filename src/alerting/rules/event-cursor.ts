import { GatewayError } from '../../domain/errors.js'
import type { AlertEvent } from '../../domain/alerts/alert-state.js'
import type { AlertEventRequest } from '../../ports/alert-states.js'

const CURSOR = /^(\d{1,15})\.(\d{1,15})$/

/** The place of an event in the list, as an opaque string. It contains nothing but the event's time and number. */
export function eventCursor({ atMs, seq }: Pick<AlertEvent, 'atMs' | 'seq'>): string {
  return Buffer.from(`${atMs}.${seq}`).toString('base64url')
}

/** The place that `eventCursor` wrote. `invalid_field` for any other string. */
export function parseEventCursor(cursor: string, field: string): NonNullable<AlertEventRequest['before']> {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match) return { atMs: Number(match[1]), seq: Number(match[2]) }
  throw new GatewayError('invalid_field', `${field} is not a cursor of alert events`, { field })
}
