import { GatewayError } from './errors.js'

/** Characters of an address. Source: RFC 5321, section 4.5.3.1, less the brackets of a path. */
const MAX_ADDRESS_CHARS = 254
/** The addresses that browsers take (HTML, section 4.10.5.1.5), with a domain of two names at least: no address literals. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63})$/

/** Whether a string is one e-mail address, without a name, brackets, spaces or line breaks. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARS && ADDRESS.test(text)
}

/** The domain of an address. */
export function mailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** Throws `invalid_field` unless `text` is one e-mail address. */
export function requireMailAddress(text: string, field: string): string {
  if (isMailAddress(text)) return text
  throw new GatewayError('invalid_field', `${field} must be one e-mail address such as ops@example.com`, { field })
}
