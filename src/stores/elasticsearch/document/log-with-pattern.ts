import type { NamespaceId } from '../../../domain/ids.js'
import { LOG } from '../../../domain/records/log.js'
import type { DocumentSource } from './document-reader.js'
import { DERIVED } from './index-template.js'
import { LOGS } from './record-kinds.js'

/** The terms by which a log is found, which an index does not give back. */
function derivedTerms(ns: NamespaceId, source: DocumentSource, hasTrigrams: boolean): DocumentSource {
  const log = LOGS.toRecord(source)
  const document = JSON.parse(LOGS.toDocument(ns, log.id, { ...log, index: 0 }, hasTrigrams)) as DocumentSource
  return Object.fromEntries(DERIVED.flatMap(name => (name in document ? [[name, document[name]]] : [])))
}

/** The document of a log as JSON, with a pattern and its terms; all else of `_source` as it is, also what this version does not know. */
export function logWithPattern(ns: NamespaceId, source: DocumentSource, patternId: string, hasTrigrams: boolean): string {
  return JSON.stringify({ ...source, ...derivedTerms(ns, source, hasTrigrams), [LOG.patternId.document]: patternId })
}
