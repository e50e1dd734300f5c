import { Ajv2020 } from 'ajv/dist/2020.js'

type Json = Readonly<Record<string, unknown>>

interface MediaType {
  readonly schema?: { readonly format?: string }
  readonly example?: unknown
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>
  readonly method: string
  readonly path: string
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Values of the parameters in the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Query string, as it is sent. */
  readonly query?: string
  /** Members that replace placeholders of the example. */
  readonly body?: Json
}

const DOCUMENT_ID = 'https://alidade.test/described.json'

/** Media types whose bodies can be written into a document, with their examples. */
function textual(content: Readonly<Record<string, MediaType>> = {}): readonly (readonly [string, MediaType])[] {
  return Object.entries(content).filter(([, { schema }]) => schema?.format !== 'binary')
}

function exampleOf(content: Readonly<Record<string, MediaType>> | undefined): readonly [string, unknown] | null {
  const found = textual(content).find(([, { example }]) => example !== undefined)
  return found ? [found[0], found[1].example] : null
}

function successOf({ responses }: DescribedOperation): string | null {
  return Object.keys(responses).find(status => /^2\d\d$/.test(status) && textual(responses[status]!.content).length > 0) ?? null
}

/** Where an example has a member, or the type of a value, that the real body does not have. Items of a list match any real item. */
function differencesOf(example: unknown, real: unknown, place: string): readonly string[] {
  if (example === null || real === null) return []
  if (Array.isArray(example) && Array.isArray(real)) {
    if (real.length === 0) return []
    return example.flatMap((item, i) => {
      const all = real.map(one => differencesOf(item, one, `${place}[${i}]`))
      return all.some(differences => differences.length === 0) ? [] : all[0]!
    })
  }
  if (typeof example !== typeof real || Array.isArray(example) !== Array.isArray(real)) return [`${place}: ${typeof real}`]
  if (typeof example !== 'object') return []
  return Object.entries(example).flatMap(([name, value]) =>
    Object.hasOwn(real as object, name)
      ? differencesOf(value, (real as Json)[name], `${place}.${name}`)
      : [`${place}.${name}: absent`]
  )
}

/** The operations of a running service as its OpenAPI document describes them, and calls with their examples. */
export class DescribedApi {
  readonly operations: readonly DescribedOperation[]
  /** Calls that failed, and places where an example is not like the real body. */
  readonly differences: string[] = []
  readonly #url: string
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true })
  readonly #called = new Set<string>()

  private constructor(url: string, document: Json) {
    this.#url = url
    this.#ajv.addSchema(document, DOCUMENT_ID)
    const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, method, path }))
    )
  }

  static async of(url: string): Promise<DescribedApi> {
    const response = await fetch(`${url}/api/v1/openapi.json`)
    return new DescribedApi(url, (await response.json()) as Json)
  }

  /** Operations with a textual request body and no example of it. */
  withoutRequestExample(): readonly string[] {
    return this.operations
      .filter(({ requestBody }) => textual(requestBody?.content).length > 0 && exampleOf(requestBody?.content) === null)
      .map(({ operationId }) => operationId)
  }

  /** Operations with a textual success body and no example of it. */
  withoutReplyExample(): readonly string[] {
    return this.operations
      .filter(operation => {
        const status = successOf(operation)
        return status !== null && exampleOf(operation.responses[status]!.content) === null
      })
      .map(({ operationId }) => operationId)
  }

  /** Examples that violate the schema next to them. */
  invalidExamples(): readonly string[] {
    return this.operations.flatMap(operation => {
      const { operationId, requestBody, path, method, responses } = operation
      const status = successOf(operation)
      const place = ['paths', path, method]
      return [
        ...this.#invalid(`${operationId} request`, [...place, 'requestBody'], requestBody?.content),
        ...(status === null
          ? []
          : this.#invalid(`${operationId} reply`, [...place, 'responses', status], responses[status]!.content))
      ]
    })
  }

  #invalid(what: string, place: readonly string[], content: Readonly<Record<string, MediaType>> | undefined): readonly string[] {
    const found = exampleOf(content)
    if (found === null) return []
    const [type, example] = found
    const parts = [...place, 'content', type, 'schema']
    const pointer = parts.map(part => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
    const validate = this.#ajv.compile({ $ref: `${DOCUMENT_ID}#${pointer}` })
    return validate(example) ? [] : [`${what}: ${this.#ajv.errorsText(validate.errors)}`]
  }

  requestExample(operationId: string): unknown {
    return exampleOf(this.#operation(operationId).requestBody?.content)?.[1]
  }

  /** Operations that return a success and were not called; those with a binary body alone have no example to send. */
  uncalled(): readonly string[] {
    return this.operations
      .filter(({ responses }) => Object.keys(responses).some(status => /^2\d\d$/.test(status)))
      .filter(({ requestBody }) => requestBody === undefined || textual(requestBody.content).length > 0)
      .map(({ operationId }) => operationId)
      .filter(id => !this.#called.has(id))
  }

  /** Sends the example of an operation, compares the response with its example, and returns the JSON body. */
  async call(operationId: string, { headers = {}, params = {}, query = '', body = {} }: CallOptions = {}): Promise<Json> {
    const operation = this.#operation(operationId)
    this.#called.add(operationId)
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const [type, example] = exampleOf(operation.requestBody?.content) ?? [null, null]
    const sent = typeof example === 'object' ? JSON.stringify({ ...example, ...body }) : example
    const response = await fetch(`${this.#url}${path}${query === '' ? '' : `?${query}`}`, {
      method: operation.method.toUpperCase(),
      headers: { ...headers, ...(type !== null && { 'content-type': type }) },
      ...(type !== null && { body: sent as string })
    })
    return this.#compare(operation, response)
  }

  async #compare(operation: DescribedOperation, response: Response): Promise<Json> {
    const { operationId, responses } = operation
    const text = await response.text()
    const described = responses[String(response.status)]
    if (!response.ok || described === undefined) {
      this.differences.push(`${operationId}: ${response.status} ${text.slice(0, 300)}`)
      return {}
    }
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    const real: unknown = isJson ? JSON.parse(text) : text
    const found = exampleOf(described.content)
    if (found !== null) this.differences.push(...differencesOf(found[1], real, operationId))
    return isJson ? (real as Json) : {}
  }

  #operation(operationId: string): DescribedOperation {
    const found = this.operations.find(operation => operation.operationId === operationId)
    if (!found) throw new Error(`the OpenAPI document has no operation ${operationId}`)
    return found
  }
}
