import type { AlertGroup } from '../../domain/alerts/alert-rule.js'
import { GatewayError } from '../../domain/errors.js'
import { formatDurationMs } from '../../domain/duration.js'
import { MAX_NAME_CHARS } from '../evaluate/limits.js'
import { MAX_GROUP_LIMIT, MAX_INTERVAL_MS, MAX_QUERY_OFFSET_MS, MIN_INTERVAL_MS } from './rule-limits.js'

/** What a user writes of a group. */
export type AlertGroupContent = Omit<AlertGroup, 'id' | 'namespaceId'>

const SECOND_MS = 1_000

function refuse(field: string, detail: string): never {
  throw new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

/** A group whose members are within their bounds. `invalid_field` names the first that is not. */
export function checkGroup({ name, intervalMs, limit, queryOffsetMs }: AlertGroupContent): AlertGroupContent {
  const trimmed = name.trim()
  if (trimmed === '') refuse('name', 'must not be empty')
  if (trimmed.length > MAX_NAME_CHARS) refuse('name', `exceeds ${MAX_NAME_CHARS} characters (got ${trimmed.length})`)
  if (!Number.isInteger(intervalMs / SECOND_MS) || intervalMs < MIN_INTERVAL_MS || intervalMs > MAX_INTERVAL_MS) {
    const [least, most] = [MIN_INTERVAL_MS, MAX_INTERVAL_MS].map(formatDurationMs)
    refuse('interval', `must be whole seconds from ${least} to ${most} (got ${formatDurationMs(intervalMs)})`)
  }
  if (limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > MAX_GROUP_LIMIT))
    refuse('limit', `must be a whole number from 1 to ${MAX_GROUP_LIMIT} (got ${limit})`)
  if (queryOffsetMs !== null && !(Number.isInteger(queryOffsetMs) && queryOffsetMs >= 0 && queryOffsetMs <= MAX_QUERY_OFFSET_MS))
    refuse('query_offset', `must be from 0s to ${formatDurationMs(MAX_QUERY_OFFSET_MS)} (got ${formatDurationMs(queryOffsetMs)})`)
  return { name: trimmed, intervalMs, limit, queryOffsetMs }
}
