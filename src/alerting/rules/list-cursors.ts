import { GatewayError } from '../../domain/errors.js'
import type { AlertInstancePlace } from '../../ports/alert-states.js'

/** Ids of rules, and fingerprints. */
const ID = /^[a-z0-9]{1,40}$/

function encoded(...parts: readonly string[]): string {
  return Buffer.from(parts.join('.')).toString('base64url')
}

/** The parts of a cursor; `invalid_field` for any other string. */
function decoded(cursor: string, parts: number, what: string): readonly string[] {
  const found = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (found.length === parts && found.every(part => ID.test(part))) return found
  throw new GatewayError('invalid_field', `cursor is not a cursor of ${what}`, { field: 'cursor' })
}

/** The place of a rule in the list of rules, as an opaque string. */
export function ruleCursor(ruleId: string): string {
  return encoded(ruleId)
}

/** The id of the rule of a cursor. */
export function parseRuleCursor(cursor: string): string {
  return decoded(cursor, 1, 'alert rules')[0]!
}

/** The place of an alert in the list of alerts, as an opaque string. */
export function alertCursor({ ruleId, fingerprint }: AlertInstancePlace): string {
  return encoded(ruleId, fingerprint)
}

/** The place that `alertCursor` wrote. */
export function parseAlertCursor(cursor: string): AlertInstancePlace {
  const [ruleId, fingerprint] = decoded(cursor, 2, 'alerts')
  return { ruleId: ruleId!, fingerprint: fingerprint! }
}
