import type { TypedDocumentString } from '../fixtures/generated/graphql.js'

/** One error of a response. */
interface ReturnedError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** What came back over HTTP. */
export interface GraphqlResult<Data = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly data: Data | null | undefined
  readonly errors: readonly ReturnedError[]
  readonly text: string
}

type Headers_ = Readonly<Record<string, string>>

/** Sends one request to the GraphQL path. */
export async function postGraphql<Data = Record<string, unknown>>(
  url: string,
  body: unknown,
  headers: Headers_ = {}
): Promise<GraphqlResult<Data>> {
  const response = await fetch(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  })
  const text = await response.text()
  const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: Data; errors?: ReturnedError[] }
  return { status: response.status, headers: response.headers, data: parsed.data, errors: parsed.errors ?? [], text }
}

/** Sends a query and returns the data; a response with errors fails the test with them. */
export async function queryGraphql<Data = Record<string, unknown>>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  headers: Headers_ = {}
): Promise<Data> {
  const response = await postGraphql<Data>(url, { query, variables }, headers)
  if (response.errors.length > 0 || !response.data) throw new Error(`${response.status} ${response.text}`)
  return response.data
}

/** Runs a generated operation as a typed client does. */
export async function runOperation<Data, Variables>(
  url: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  headers: Headers_ = {}
): Promise<Data> {
  return queryGraphql<Data>(url, document.toString(), variables as Readonly<Record<string, unknown>>, headers)
}
