import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import type { TextField } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import type { OtlpScope } from '../otlp/model.js'
import { freeObject } from './free-fields.js'
import type { ItemCheck } from './item-check.js'

/** The string of the first resource attribute that holds a field; null when none does. */
export function resourceText({ resource }: OtlpScope, field: TextField, check: ItemCheck): string | null {
  for (const name of field.resource ?? []) {
    const value = resource.attributes[name]
    if (typeof value === 'string' && value !== '') return check.text(value, name)
  }
  return null
}

/** The resource attribute `service.name`; null without it. */
export function serviceOf(scope: OtlpScope, check: ItemCheck): string | null {
  return resourceText(scope, LOG.service, check)
}

/** The resource attribute `host.name`; null without it. */
export function hostOf(scope: OtlpScope, check: ItemCheck): string | null {
  return resourceText(scope, LOG.host, check)
}

const NO_ID = /^0*$/

/** An id of zeros is not an id (W3C trace context, 3.2.2.3). */
export function otlpId(id: string): string | null {
  return NO_ID.test(id) ? null : id
}

// Scopes live as long as the request that brought them.
const checked = new WeakMap<OtlpScope, JsonObject>()

/**
 * What the records of a scope have in common, as tags: the resource's attributes, and the scope under the names that
 * OpenTelemetry gives it outside OTLP (`otel.scope.name`, `otel.scope.version`). Checked once per scope.
 */
export function originTags(scope: OtlpScope, check: ItemCheck): JsonObject {
  const known = checked.get(scope)
  if (known !== undefined) return known
  const tags = Object.assign(bareObject<JsonValue>(), scope.resource.attributes)
  if (scope.name !== '') tags['otel.scope.name'] = scope.name
  if (scope.version !== '') tags['otel.scope.version'] = scope.version
  for (const name in scope.attributes) tags[`otel.scope.${name}`] ??= scope.attributes[name]!
  freeObject(check, tags, 'resource')
  // A fault is that of every record of the scope, so it is found again for each.
  if (check.fault === null) checked.set(scope, tags)
  return tags
}
