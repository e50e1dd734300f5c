import { filteredNames } from '../domain/records/field.js'
import { APM_ERROR, type ApmError } from '../domain/records/error.js'
import type { JsonObject } from '../domain/json.js'
import { fingerprint } from './fingerprint.js'
import { freeObjectWith } from './free-fields.js'
import { type ItemCheck, type RefusedItem } from './item-check.js'
import { truncateString, isLonger } from './string-size.js'
import { gather, isRawObject, type RawObject } from './raw-object.js'

const KNOWN: ReadonlySet<string> = new Set([
  ...['namespace', 'timestamp', 'tags'],
  ...filteredNames(APM_ERROR).filter(name => name !== APM_ERROR.fingerprint.name)
])
const DEFAULT_TYPE = 'Error'

/** A stack may be as long as a message; what is longer is cut, not refused. */
function stackText(check: ItemCheck, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? value : check.refuse('invalid_field', 'stack', 'stack must be a string')
}

/** The tags, with unknown members merged in; marked if message or stack are cut. */
function tagsOf(check: ItemCheck, raw: RawObject, isCut: boolean): JsonObject {
  let extra: Record<string, unknown> | null = null
  for (const key in raw) if (!KNOWN.has(key)) extra = gather(extra, key, raw[key])
  if (isCut) extra = gather(extra, '_truncated', true)
  return freeObjectWith(check, raw['tags'], extra, 'tags')
}

/** An application error as sent ("Vocabulary" in docs/conventions.md), checked and normalized, with the fingerprint of its group. */
export function parseApmError(raw: unknown, check: ItemCheck): ApmError | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const limit = check.limits.messageBytes
  const message = check.beforeCut(check.requiredText(raw['message'], 'message'), limit)
  const sent = stackText(check, raw['stack'])
  const stack = sent === null ? null : check.beforeCut(sent, limit)
  const isCut = isLonger(message, limit) || (stack !== null && isLonger(stack, limit))
  const service = check.bounded(check.requiredText(raw['service'], 'service'), 'service')
  const type = check.text(raw['type'], 'type') ?? DEFAULT_TYPE
  const error: ApmError = {
    index: check.index,
    timestampNs: check.time(raw['timestamp'], 'timestamp'),
    service,
    message: truncateString(message, limit),
    type,
    stack: stack === null ? null : truncateString(stack, limit),
    traceId: check.id(raw['trace_id'], 'trace_id'),
    spanId: check.id(raw['span_id'], 'span_id'),
    host: check.text(raw['host'], 'host'),
    tags: tagsOf(check, raw, isCut),
    fingerprint: fingerprint({ service, type, message, stack })
  }
  return check.fault ?? error
}
