import { type ErrorItem, GatewayError } from '../../domain/errors.js'
import type { FileError } from './yaml-node.js'

/** `invalid_field` with the errors of a file and their places; there is at least one. */
export function fileFault(errors: readonly FileError[]): GatewayError {
  const items = errors.map(({ line, column, message }): ErrorItem => {
    return { code: 'invalid_field', field: 'file', detail: line === 0 ? message : `${line}:${column}: ${message}` }
  })
  const more = items.length > 1 ? ` (and ${items.length - 1} more)` : ''
  return new GatewayError('invalid_field', `file: ${items[0]!.detail}${more}`, { field: 'file', errors: items })
}
