import { GatewayError } from '../domain/errors.js'

/** A whole number between `least` and `most`; the default when absent. Throws `invalid_field`, naming the limit. */
export function boundedCount(
  value: number | undefined | null,
  field: string,
  bounds: { readonly least: number; readonly most: number; readonly otherwise: number }
): number {
  if (value === undefined || value === null) return bounds.otherwise
  if (Number.isInteger(value) && value >= bounds.least && value <= bounds.most) return value
  throw new GatewayError('invalid_field', `${field} must be an integer from ${bounds.least} to ${bounds.most}`, { field })
}
