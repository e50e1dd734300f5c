import type { Node } from 'yaml'
import type { SloContent } from '../../domain/alerts/slo.js'
import { isGatewayError } from '../../domain/errors.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { RuleFaults, RuleInput } from '../evaluate/parse-rule/rule-input.js'
import { stringValue } from '../rule-files/plain-value.js'
import { MAX_FILE_ERRORS } from '../rule-files/rule-file.js'
import { YamlFile } from '../rule-files/yaml-node.js'
import { parseSlo } from '../slo/parse-slo.js'
import { MAX_SLOS } from '../slo/slo-limits.js'
import { readOpenSlo } from './read-openslo.js'
import { readSloth } from './read-sloth.js'
import type { SloFile, TranslatedSlo, Translation } from './slo-file.js'

/** Levels of a document. OpenSLO has queries in the ninth. */
const MAX_DEPTH = 16
const SLOTH = 'prometheus/v1'
const OPENSLO = 'openslo/v1'
const MAX_WORD_CHARS = 200

/** A document of the file with its place. */
interface FileDocument {
  readonly node: Node | null
  readonly root: RuleInput
  readonly faults: RuleFaults
}

/**
 * Reads SLOs of OpenSLO v1 (one or several documents) or of Sloth (`prometheus/v1`). Errors have the paths of the file; members
 * without a meaning here are ignored and named.
 */
export function readSloFile(text: string, readPromql: ReadPromql): SloFile {
  const file = new YamlFile(text)
  const ignored: string[] = []
  const documents = readDocuments(file)
  const slos = documents.length === 0 ? [] : readSlos(file, documents, ignored, readPromql)
  if (file.errors.length === 0 && slos.length === 0) file.add(null, 'the file has no SLO')
  if (slos.length > MAX_SLOS) file.add(null, `a file must not exceed ${MAX_SLOS} SLOs (got ${slos.length}); split it`)
  for (const name of repeated(slos)) file.add(null, `the SLO ${JSON.stringify(name)} is repeated in the file`)
  return { slos, errors: file.errors.slice(0, MAX_FILE_ERRORS), ignored: ignored.slice(0, MAX_FILE_ERRORS) }
}

function readDocuments(file: YamlFile): readonly FileDocument[] {
  const documents: FileDocument[] = []
  for (const node of file.roots()) {
    const value = stringValue(file, node, MAX_DEPTH)
    if (file.errors.length > 0) return []
    // An empty document, as after a last separator.
    if (value === null) continue
    const faults = new RuleFaults()
    documents.push({
      node,
      faults,
      root: new RuleInput(value, documents.length === 0 ? '' : `documents[${documents.length}]`, faults)
    })
  }
  return documents
}

function readSlos(
  file: YamlFile,
  documents: readonly FileDocument[],
  ignored: string[],
  readPromql: ReadPromql
): readonly SloContent[] {
  const indicators = new Map<string, RuleInput>()
  for (const { root } of documents)
    if (wordOf(root, 'kind') === 'SLI') indicators.set(wordOf(root.object('metadata'), 'name') ?? '', root)
  const translated = documents.map(({ root, faults }) => translate(root, indicators, { faults, ignored }))
  // An SLO reads the document of its indicator, so that all are translated before errors are reported. What the format does not
  // allow is reported alone.
  for (const { node, faults } of documents)
    for (const { field = '', detail } of faults.items) file.add(node, `${field}: ${detail}`)
  if (file.errors.length > 0) return []
  return documents.flatMap(({ node }, at) => translated[at]!.flatMap(slo => parsed(file, node, slo, readPromql)))
}

function wordOf(input: RuleInput, name: string): string | null {
  const value = input.get(name)
  return typeof value === 'string' && value.length <= MAX_WORD_CHARS ? value : null
}

function translate(
  root: RuleInput,
  indicators: ReadonlyMap<string, RuleInput>,
  translation: Translation
): readonly TranslatedSlo[] {
  if (root.has('version')) {
    const version = wordOf(root, 'version')
    if (version !== SLOTH) root.fault('version', `must be ${SLOTH} (got ${JSON.stringify(version)})`)
    return version === SLOTH ? readSloth(root, translation) : []
  }
  const apiVersion = wordOf(root, 'apiVersion')
  if (apiVersion !== OPENSLO) {
    root.fault('apiVersion', `must be ${OPENSLO}, or version ${SLOTH} (got ${JSON.stringify(apiVersion)})`)
    return []
  }
  const kind = wordOf(root, 'kind')
  if (kind === 'SLO') return [readOpenSlo(root, indicators, translation)]
  if (kind !== 'SLI') translation.ignored.push(`${root.path === '' ? 'document' : root.path} of kind ${kind ?? 'null'}`)
  return []
}

function parsed(
  file: YamlFile,
  node: Node | null,
  { input, path, names }: TranslatedSlo,
  readPromql: ReadPromql
): readonly SloContent[] {
  try {
    return [parseSlo(input, readPromql)]
  } catch (error) {
    if (!isGatewayError(error, 'invalid_field')) throw error
    for (const { field = '', detail } of error.errors) {
      const own = pathOf(field, names)
      file.add(node, `${path === '' ? own : `${path}.${own}`}: ${detail}`)
    }
    return []
  }
}

/** The path of a member in the file. */
function pathOf(field: string, names: TranslatedSlo['names']): string {
  const renamed = Object.keys(names).find(name => field === name || field.startsWith(`${name}.`))
  return renamed === undefined ? field : names[renamed]! + field.slice(renamed.length)
}

function repeated(slos: readonly SloContent[]): readonly string[] {
  const names = slos.map(({ name }) => name)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}
