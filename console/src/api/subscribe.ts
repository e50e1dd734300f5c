import type { Session } from '../session/session.js'
import type { Operation } from './request.js'
import { ApiError } from './errors.js'

/** What a subscription reports. */
export interface Sink<Result> {
  /** The service has accepted the socket. */
  readonly onOpen: () => void
  readonly onNext: (result: Result) => void
  /** The last call: the socket or the subscription ended. */
  readonly onEnd: (error: ApiError) => void
}

/** Ends a subscription. */
export type Unsubscribe = () => void

/** Follows an operation in a namespace over a socket of its own. Nothing is repeated here. */
export type Subscribe = <Result, Variables>(
  document: Operation<Result, Variables>,
  variables: Variables,
  namespace: string,
  sink: Sink<Result>
) => Unsubscribe

interface CloseEventLike {
  readonly code: number
  readonly reason: string
}

const RETRY_MS = 1_000
const UNAUTHORIZED = 4401
/** Close codes after which the same request can succeed. */
const PASSING: ReadonlySet<number> = new Set([1001, 1005, 1006, 1011, 1012, 1013, 4408])

function socketUrl(base: string): string {
  const url = new URL('graphql', base)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

function isClose(thrown: unknown): thrown is CloseEventLike {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'reason' in thrown
}

function errorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (Array.isArray(thrown)) {
    const { message, extensions = {} } = thrown[0] as { message: string; extensions?: Readonly<Record<string, unknown>> }
    const code = typeof extensions['code'] === 'string' ? extensions['code'] : 'internal'
    return new ApiError(message, { code, status: 200, retryAfterMs: extensions['retryable'] === true ? RETRY_MS : null })
  }
  if (isClose(thrown) && !PASSING.has(thrown.code)) {
    const isOver = thrown.code === UNAUTHORIZED
    const message = isOver ? 'the session is over' : `the service closed the connection: ${thrown.reason || thrown.code}`
    const isPassing = isOver || thrown.reason === 'role_required'
    return new ApiError(message, { code: thrown.reason, status: isOver ? 401 : 403, retryAfterMs: isPassing ? RETRY_MS : null })
  }
  return new ApiError('the service cannot be reached', { code: 'network', status: 0, retryAfterMs: RETRY_MS })
}

/** @param base absolute URL below which the service listens, with a final slash */
export function createSubscribe(base: string, session: Pick<Session, 'accessToken' | 'replace'>): Subscribe {
  return (document, variables, namespace, sink) => {
    let stop: Unsubscribe | null = null
    let isStopped = false
    const end = (thrown: unknown): void => {
      if (isStopped) return
      isStopped = true
      stop?.()
      sink.onEnd(errorOf(thrown))
    }
    const open = async (): Promise<void> => {
      const token = await session.accessToken()
      const { createClient } = await import('graphql-ws/client')
      if (isStopped) return
      const client = createClient({
        url: socketUrl(base),
        retryAttempts: 0,
        connectionParams: { Authorization: `Bearer ${token}`, 'X-Namespace-ID': namespace },
        on: { connected: () => sink.onOpen() }
      })
      const endWith = async (thrown: unknown): Promise<void> => {
        // The next socket takes the new token.
        if (isClose(thrown) && thrown.code === UNAUTHORIZED) await session.replace(token)
        end(thrown)
      }
      const unsubscribe = client.subscribe(
        { query: document.toString(), variables: variables as Record<string, unknown> },
        {
          next: ({ data }) => {
            if (!isStopped && data) sink.onNext(data as never)
          },
          error: thrown => void endWith(thrown).catch(end),
          complete: () => end(null)
        }
      )
      stop = () => {
        unsubscribe()
        void client.dispose()
      }
    }
    open().catch(end)
    return () => {
      isStopped = true
      stop?.()
    }
  }
}
