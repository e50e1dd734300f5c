import { createHmac } from 'node:crypto'
import type { RefreshToken, RefreshTokens } from '../ports/session-tokens.js'
import { sha256Hex } from './secrets.js'

/** For so long the client of a cookie session may repeat a refresh whose response was lost, or that another tab sent too. */
export const REPEAT_WINDOW_MS = 10_000
/** Refreshes within the window that are followed to the newest token; a console refreshes once in 12 minutes. */
const MAX_SUCCESSORS = 16
const CONTEXT = 'alidade refresh successor v1'

/** A refresh token: its row and its secret. */
export interface KnownRefreshToken {
  readonly token: RefreshToken
  readonly secret: string
}

/**
 * The secret that follows a refresh token of a cookie session, so that each gateway returns the same one to a repeat.
 * It takes the token, which is not stored, and the id of its row, which no client sees: neither suffices alone.
 */
export function successorSecret({ token, secret }: KnownRefreshToken): string {
  return `alr_${createHmac('sha256', secret).update(`${CONTEXT} ${token.id}`).digest('base64url')}`
}

/**
 * The newest token that follows one that was used at most `REPEAT_WINDOW_MS` ago by a cookie session; null when it was
 * used earlier, or by a session of another kind: that is a reuse.
 */
export async function findSuccessor(
  tokens: Pick<RefreshTokens, 'byHash'>,
  used: KnownRefreshToken,
  nowMs: number
): Promise<KnownRefreshToken | null> {
  let known = used
  for (let i = 0; i < MAX_SUCCESSORS; i++) {
    const { usedAtMs } = known.token
    if (usedAtMs === null) return known
    if (nowMs - usedAtMs > REPEAT_WINDOW_MS) return null
    const secret = successorSecret(known)
    const token = await tokens.byHash(sha256Hex(secret))
    if (token === null) return null
    known = { token, secret }
  }
  return null
}
