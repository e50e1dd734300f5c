import { isIP } from 'node:net'
import { GatewayError } from '../../../domain/errors.js'
import type { AllowedTargets } from './allowed-targets.js'

/** Characters of the URL of a channel. */
export const MAX_URL_CHARS = 2_048

/** Host of a URL without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function refusal(detail: string): GatewayError {
  return new GatewayError('invalid_field', `target ${detail}`, { field: 'target' })
}

/**
 * Reads the URL of a channel. The URL parser turns every spelling of an IPv4 address (decimal, octal, hexadecimal, full-width
 * digits) into the usual one (WHATWG URL, section 3.5). `invalid_field` for what can never be reached; whether the addresses
 * of a name are allowed is checked at each attempt.
 */
export function parseTarget(text: string, allowed: AllowedTargets): URL {
  if (text.length > MAX_URL_CHARS) throw refusal(`exceeds ${MAX_URL_CHARS} characters (got ${text.length})`)
  if (!URL.canParse(text)) throw refusal('must be a URL such as https://hooks.example.com/alerts')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal('must be an https URL')
  if (url.username !== '' || url.password !== '') throw refusal('must not contain a user name or password')
  if (url.port === '0') throw refusal('must not have port 0')
  const host = hostOf(url)
  const isAddress = isIP(host) > 0
  if (isAddress && !allowed.allows(host, host)) throw refusal(`is not allowed: ${host} is not a public address; ${REMEDY}`)
  if (url.protocol === 'http:' && !mayUseHttp(host, isAddress, allowed)) {
    throw refusal(`must be an https URL; http is only for targets of the setting webhook_allow`)
  }
  url.hash = ''
  return url
}

const REMEDY = 'the operator can allow it with the setting webhook_allow'

function mayUseHttp(host: string, isAddress: boolean, allowed: AllowedTargets): boolean {
  return isAddress ? allowed.isInternal(host, host) : allowed.mayAllow(host)
}
