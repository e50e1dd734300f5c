import { createHash } from 'node:crypto'
import { mappingFields, type MappedShape } from './index-template.js'

const DIGEST_CHARS = 16

/** What an index says of itself in the `_meta` of its mappings. */
export interface IndexMeta {
  readonly installation: string
  /** `fieldsDigest` of the version that made the index or last updated it; absent in those of versions without it. */
  readonly fields?: string
}

/** Tells the fields that one version maps from those of another. */
export function fieldsDigest(shape: MappedShape): string {
  const sorted = Object.entries(mappingFields(shape)).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, DIGEST_CHARS)
}

/** The `_meta` of an index with the fields of this version. */
export function metaOf(shape: MappedShape, installation: string): IndexMeta {
  return { installation, fields: fieldsDigest(shape) }
}
