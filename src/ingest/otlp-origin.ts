import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import type { OtlpScope } from '../otlp/model.js'
import { freeObject } from './free-fields.js'
import type { ItemCheck } from './item-check.js'

/** A resource attribute that is a text. */
function textOf({ resource }: OtlpScope, name: string, check: ItemCheck): string | null {
  const value = resource.attributes[name]
  return typeof value === 'string' ? check.text(value, name) : null
}

export function serviceOf(scope: OtlpScope, check: ItemCheck): string | null {
  return textOf(scope, 'service.name', check)
}

export function hostOf(scope: OtlpScope, check: ItemCheck): string | null {
  return textOf(scope, 'host.name', check)
}

const NO_ID = /^0*$/

/** An id of zeros is no id (W3C trace context, 3.2.2.3). */
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
