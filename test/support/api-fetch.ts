import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}
interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject>>
}
/** The parts of the OpenAPI document that the checks read. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A response that agrees with the document, read whole. */
export interface CheckedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly isJson: boolean
  /** The parsed JSON body, its shape checked against the document; empty for other bodies. */
  readonly json: Record<string, unknown>
}

/** Sends a request and fails when the response is not what the OpenAPI document promises. */
export type ApiFetch = (path: string, init?: RequestInit & { readonly json?: unknown }) => Promise<CheckedResponse>

const DOCUMENT_ID = 'https://alidade.test/openapi.json'
const PREFIX = '/api/v1'

function pointer(...parts: readonly string[]): string {
  return parts.map(part => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/')
  const given = path.split('/')
  return (
    expected.length === given.length && expected.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}

/** The template that a path falls under, exact ones before those with parameters; a bare alias falls under its canonical path. */
function templateOf(document: OpenApiDocument, path: string): string | null {
  if (document.paths[path]) return path
  const templates = Object.keys(document.paths)
  const found = templates.find(template => matches(template, path))
  return found ?? templates.find(template => template === PREFIX + path) ?? null
}

function responseKey(operation: Operation, status: number): string | null {
  const keys = [String(status), `${String(status)[0]}XX`, 'default']
  return keys.find(key => operation.responses[key] !== undefined) ?? null
}

/** Checks responses against one OpenAPI document. */
class ResultCheck {
  readonly #document: OpenApiDocument
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true })
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#ajv.addSchema(document, DOCUMENT_ID)
  }

  #validator(place: string): ValidateFunction {
    const known = this.#compiled.get(place)
    if (known) return known
    const made = this.#ajv.compile({ $ref: `${DOCUMENT_ID}#${place}` })
    this.#compiled.set(place, made)
    return made
  }

  /** Throws unless status, content type and JSON body are documented for this operation. */
  check(method: string, path: string, result: CheckedResponse): void {
    const where = `${method} ${path} -> ${result.status}`
    const template = templateOf(this.#document, path)
    const operation = template === null ? undefined : this.#document.paths[template]?.[method.toLowerCase()]
    if (!template || !operation) {
      if (result.status === 404 || result.status === 405 || method === 'OPTIONS') return
      throw new Error(`${where}: the operation is not in the OpenAPI document`)
    }
    const key = responseKey(operation, result.status)
    if (key === null) throw new Error(`${where}: the status is not documented\n${result.text.slice(0, 500)}`)
    this.#checkBody(where, pointer('paths', template, method.toLowerCase(), 'responses', key), operation.responses[key]!, result)
  }

  #checkBody(where: string, place: string, response: ResponseObject, result: CheckedResponse): void {
    const content = response.content ?? {}
    const mediaType = (result.headers.get('content-type') ?? '').split(';', 1)[0]!.trim()
    if (result.text === '') return
    if (!(mediaType in content)) {
      throw new Error(
        `${where}: content type ${mediaType} is not one of ${Object.keys(content).join(', ') || '(none)'}\n${result.text.slice(0, 500)}`
      )
    }
    if (!result.isJson || content[mediaType]!.schema === undefined) return
    const validate = this.#validator(place + pointer('content', mediaType, 'schema'))
    if (validate(result.json)) return
    throw new Error(`${where}: ${this.#ajv.errorsText(validate.errors)}\n${result.text.slice(0, 2000)}`)
  }
}

async function readResult(response: Response): Promise<CheckedResponse> {
  const text = await response.text()
  const isJson = text !== '' && /^application\/(?:[a-z-]+\+)?json/.test(response.headers.get('content-type') ?? '')
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.status, headers: response.headers, text, isJson, json }
}

/** Reads the document of a running service. */
async function fetchOpenApi(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}${PREFIX}/openapi.json`)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`the OpenAPI document returned ${response.status}: ${text}`)
  return text
}

/** Kept for all test files of a process: making a document and reading it takes longer than many a test. */
interface SharedChecks {
  /** Documents by the settings of the services that gave them. */
  readonly documents: LRUCache<string, string>
  readonly checks: LRUCache<string, ResultCheck>
}

const SHARED = Symbol.for('checks of responses')
const shared = globalThis as { [SHARED]?: SharedChecks }
const { documents, checks } = (shared[SHARED] ??= { documents: new LRUCache({ max: 100 }), checks: new LRUCache({ max: 10 }) })

function checkOf(document: string): ResultCheck {
  const known = checks.get(document)
  if (known) return known
  const made = new ResultCheck(JSON.parse(document) as OpenApiDocument)
  checks.set(document, made)
  return made
}

async function documentOf(baseUrl: string, settings: string | undefined): Promise<string> {
  const known = settings === undefined ? undefined : documents.get(settings)
  if (known !== undefined) return known
  const document = await fetchOpenApi(baseUrl)
  if (settings !== undefined) documents.set(settings, document)
  return document
}

/**
 * A fetch for one service: paths are relative to `baseUrl`, `json` is sent as a JSON body, and every response is checked
 * against the service's own OpenAPI document.
 * @param settings all that the document depends on; services with equal settings make it once in a process.
 */
export async function createApiFetch(baseUrl: string, settings?: string): Promise<ApiFetch> {
  const check = checkOf(await documentOf(baseUrl, settings))
  return async (path, init = {}) => {
    const { json, ...rest } = init
    const headers = new Headers(rest.headers)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const body = json === undefined ? rest.body : JSON.stringify(json)
    const result = await readResult(await fetch(baseUrl + path, { ...rest, headers, ...(body === undefined ? {} : { body }) }))
    if (result.headers.get('x-request-id') === null) throw new Error(`${path}: X-Request-Id is missing`)
    check.check((rest.method ?? 'GET').toUpperCase(), path.split('?', 1)[0]!, result)
    return result
  }
}
