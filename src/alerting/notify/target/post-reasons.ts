import { formatDurationMs } from '../../../domain/duration.js'

/** Time limit of one attempt, from the resolution of the name to the last read byte. */
export const POST_TIMEOUT_MS = 15_000

/** Why a request was not sent: its target is not allowed. The sentence is shown. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

const BY_CODE: Readonly<Record<string, string>> = {
  ABORT_ERR: `no response within ${formatDurationMs(POST_TIMEOUT_MS)}`,
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before a response',
  EPIPE: 'connection closed before a response',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the name servers do not resolve the host name now',
  EAI_FAIL: 'the name servers do not resolve the host name now',
  ETIMEDOUT: 'the host cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached'
}
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/

/** Why an attempt got no response, in a sentence without anything of the address or of what the peer sent. */
export function failureReason(error: unknown): string {
  if (error instanceof TargetRefused) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = BY_CODE[code]
  if (known !== undefined) return known
  if (TLS_CODE.test(code)) return 'the TLS handshake failed'
  return code.startsWith('HPE_') ? 'the response is not HTTP' : 'the request failed'
}

/** Why a response is not a success; null for 2xx. */
export function statusReason(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`
}
