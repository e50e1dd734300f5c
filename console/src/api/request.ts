import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core'
import type { Session } from '../session/session.js'
import { ApiError, cancelledError, errorOfGraphql } from './errors.js'
import type { Transport } from './transport.js'

/** A GraphQL document with the types of its result and its variables, as codegen writes it. */
export type Operation<Result, Variables> = DocumentTypeDecoration<Result, Variables> & { toString(): string }

/** Sends typed GraphQL operations as the signed-in user. */
export interface Api {
  /** Runs an operation in a namespace (name or id; null: the user's active one). Throws the first error as `ApiError`. */
  request<Result, Variables>(
    document: Operation<Result, Variables>,
    variables: Variables,
    options: RequestOptions
  ): Promise<Result>
  /** Sends a REST request in a namespace and returns the JSON body. Throws `ApiError`. */
  rest(path: string, options: RestOptions): Promise<unknown>
  /** Sends a REST request whose response is a file. Throws `ApiError`, also when the connection breaks within the file. */
  file(path: string, options: RestOptions): Promise<Blob>
  /** Ends the reads in flight, those with a `signal`; each throws an `ApiError` that states it. Writes are never ended. */
  cancelReads(): void
  /** Current time of the service in milliseconds. */
  nowMs(): number
}

/** Whose data an operation reads, and how the caller cancels it. */
export interface RequestOptions {
  readonly namespace: string | null
  readonly signal?: AbortSignal | undefined
}

/** A REST request of the signed-in user. */
export interface RestOptions extends RequestOptions {
  readonly method?: string
  readonly json?: unknown
}

/** A request as it is sent: of a file, or of JSON. */
type SentOptions = RestOptions & { readonly isFile?: boolean }

interface GraphqlBody<Result> {
  readonly data?: Result | null
  readonly errors?: readonly Parameters<typeof errorOfGraphql>[0][]
}

/** An expired token is replaced once; a second 401 is an error. No other failure is repeated here. */
export function createApi(transport: Transport, session: Session): Api {
  const send = async (path: string, { namespace, signal, ...request }: SentOptions): ReturnType<Transport['send']> => {
    const scope: Record<string, string> = namespace === null ? {} : { 'x-namespace-id': namespace }
    const attempt = (token: string): ReturnType<Transport['send']> =>
      transport.send(path, { ...request, signal, headers: { authorization: `Bearer ${token}`, ...scope } })
    const token = await session.accessToken()
    try {
      return await attempt(token)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      return attempt(await session.replace(token))
    }
  }
  const reads = new Set<AbortController>()
  /** A request without a `signal` is a write. */
  const sendCancellable = async (path: string, options: SentOptions): ReturnType<Transport['send']> => {
    const { signal } = options
    if (!signal) return send(path, options)
    const read = new AbortController()
    reads.add(read)
    try {
      return await send(path, { ...options, signal: AbortSignal.any([signal, read.signal]) })
    } catch (error) {
      throw read.signal.aborted && !signal.aborted ? cancelledError() : error
    } finally {
      reads.delete(read)
    }
  }
  return {
    async request<Result, Variables>(document: Operation<Result, Variables>, variables: Variables, options: RequestOptions) {
      const json = { query: document.toString(), variables }
      const { response, body } = await sendCancellable('graphql', { ...options, method: 'POST', json })
      const { data, errors } = body as GraphqlBody<Result>
      if (errors?.[0]) throw errorOfGraphql(errors[0], response)
      return data as Result
    },
    async rest(path, options) {
      const { body } = await sendCancellable(path, options)
      return body
    },
    async file(path, options) {
      const { body } = await sendCancellable(path, { ...options, isFile: true })
      return body as Blob
    },
    cancelReads() {
      for (const read of reads) read.abort()
    },
    nowMs: () => transport.nowMs()
  }
}
