import type { NamespaceId } from '../../../domain/ids.js'
import { LOG } from '../../../domain/records/log.js'
import type { DocumentSource } from './document-reader.js'
import { DERIVED } from './index-template.js'
import { LOGS } from './record-kinds.js'

const PATTERN_ID = LOG.patternId.document

/** Without terms: an index of an earlier version gives back those that it does not know. */
function withoutTerms(source: DocumentSource): DocumentSource {
  if (!DERIVED.some(name => name in source)) return source
  return Object.fromEntries(Object.entries(source).filter(([name]) => !DERIVED.includes(name)))
}

/**
 * The document of a log as JSON, with a pattern and its terms; all else of `_source` as it is, also what this version does
 * not know. An id that is stored and was not indexed, since its index was made by an earlier version, stays.
 */
export function logWithPattern(ns: NamespaceId, source: DocumentSource, patternId: string, hasTrigrams: boolean): string {
  const log = LOGS.toRecord(source)
  const json = JSON.stringify({ ...withoutTerms(source), [PATTERN_ID]: source[PATTERN_ID] ?? patternId })
  return `${json.slice(0, -1)}${LOGS.toTerms(ns, log.id, { ...log, index: 0 }, hasTrigrams)}}`
}
