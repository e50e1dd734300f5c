import { errorOfResponse, networkError } from './errors.js'

/** Sends one request below the base path of the page. Resolves to the response and its JSON body (null when empty). */
export interface Transport {
  /** Throws `ApiError` for a status that is not 2xx and when no response arrives; `AbortError` when `signal` fires. */
  send(path: string, request: RequestOptions): Promise<{ readonly response: Response; readonly body: unknown }>
  /** Current time of the service in milliseconds, from the `Date` header of its responses. */
  nowMs(): number
}

/** A request as `Transport.send` takes it. */
export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The body of a success is a file: a `Blob`, which the browser keeps on disk when it is large. */
  readonly isFile?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Learns about each response and each failure to get one. */
export type TransportObserver = (event: { readonly isReachable: boolean; readonly retryAfterMs: number | null }) => void

function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    // A proxy in front of the service responds with HTML; the status has what happened.
    return null
  }
}

/** The `Date` header has a resolution of one second. */
const DATE_RESOLUTION_MS = 1_000

/**
 * How far the clock of the service is ahead of the browser's, in milliseconds: 0 as long as the `Date` of a response can
 * be a time between its request and its arrival, however slow it was.
 */
export function clockSkewMs(servedMs: number, sentMs: number, receivedMs: number): number {
  if (servedMs < sentMs - DATE_RESOLUTION_MS) return servedMs - sentMs
  return servedMs > receivedMs + DATE_RESOLUTION_MS ? servedMs - receivedMs : 0
}

/**
 * @param base absolute URL below which the service listens, with a final slash
 * @param fetch the browser's
 */
export function createTransport(base: string, fetch: typeof globalThis.fetch, observe: TransportObserver): Transport {
  let skewMs = 0
  const learnTime = (response: Response, sentMs: number): void => {
    const servedMs = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(servedMs)) skewMs = clockSkewMs(servedMs, sentMs, Date.now())
  }
  return {
    async send(path, { method = 'GET', headers = {}, json, isFile = false, signal }) {
      const content = json === undefined ? {} : { body: JSON.stringify(json) }
      const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
      const request = { method, headers: { accept: 'application/json', ...type, ...headers }, signal: signal ?? null, ...content }
      const sentMs = Date.now()
      let response: Response
      let body: unknown
      try {
        response = await fetch(new URL(path, base), request)
        body = isFile && response.ok ? await response.blob() : jsonOf(await response.text())
      } catch (error) {
        if (signal?.aborted) throw error
        const failure = networkError(error)
        observe({ isReachable: false, retryAfterMs: failure.retryAfterMs })
        throw failure
      }
      learnTime(response, sentMs)
      if (response.ok) {
        observe({ isReachable: true, retryAfterMs: null })
        return { response, body }
      }
      const failure = errorOfResponse(response, body)
      const isGone = [502, 503, 504].includes(response.status) && failure.code === 'unexpected_response'
      observe({ isReachable: !isGone, retryAfterMs: failure.retryAfterMs })
      throw failure
    },
    nowMs: () => Date.now() + skewMs
  }
}
