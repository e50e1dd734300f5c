import { GatewayError } from '../domain/errors.js'
import type { KeyKind } from '../domain/principal.js'

const MAX_ORIGINS = 100
/** What a browser sends for pages without an origin; listed, it also admits requests without the header. */
const OPAQUE = 'null'

/** Checks the origins of a new key: needed for `rum`, not allowed for the others. */
export function parseOrigins(kind: KeyKind, origins: readonly string[] | undefined): readonly string[] {
  if (kind !== 'rum') {
    if (origins !== undefined && origins.length > 0) throw invalid('allowed_origins is only for keys of kind rum')
    return []
  }
  if (origins === undefined || origins.length === 0) {
    throw new GatewayError('missing_field', 'a key of kind rum needs allowed_origins', { field: 'allowed_origins' })
  }
  if (origins.length > MAX_ORIGINS) throw invalid(`a key has at most ${MAX_ORIGINS} allowed origins`)
  return [...new Set(origins.map(parseOrigin))]
}

/** Whether a request with this `Origin` header may use a key with these origins. */
export function isOriginAllowed(allowed: readonly string[], origin: string | undefined): boolean {
  return allowed.includes(origin === undefined ? OPAQUE : origin.toLowerCase())
}

function parseOrigin(asSent: string): string {
  const text = asSent.toLowerCase()
  if (text === OPAQUE) return text
  const url = URL.canParse(text) ? new URL(text) : null
  const origin = url && (url.origin === OPAQUE ? `${url.protocol}//${url.host}` : url.origin)
  // Apps send origins such as capacitor://localhost, which URL calls opaque.
  if (!url || !url.host || (text !== origin && text !== `${origin}/`)) {
    throw invalid(`allowed_origins must be a list of origins such as https://shop.example, or null; not ${asSent.slice(0, 100)}`)
  }
  return origin!
}

function invalid(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field: 'allowed_origins' })
}
