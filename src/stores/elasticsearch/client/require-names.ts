import { unreachable } from '../../../domain/errors.js'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Names of indices, one after the other, and nothing else: no pattern, no exclusion, no `_all`, nothing escaped. */
const NAMED_INDICES = /^\/[a-z0-9][a-z0-9._-]*(?:,[a-z0-9][a-z0-9._-]*)*$/
/** Patterns that match unnamed indices, and settings of all indices. */
const PATTERN = /[*?%]|\b_all\b|^\/_(?:settings|mapping|block)\b/
const BY_QUERY = /\/_delete_by_query$/

/**
 * Refuses a change of indices that are not named one by one. OpenSearch deletes by pattern without confirmation, so a name that
 * is built wrongly could match the indices of others.
 */
export function requireNames({ method, path }: { readonly method: Method; readonly path: string }): void {
  if (isFit(method, path)) return
  throw new Error(`${method} ${path} must name each index`)
}

function isFit(method: Method, path: string): boolean {
  switch (method) {
    case 'DELETE':
      return NAMED_INDICES.test(path)
    case 'PUT':
      return !PATTERN.test(path)
    case 'POST':
      return !BY_QUERY.test(path)
    case 'GET':
      return true
    default:
      return unreachable(method)
  }
}
