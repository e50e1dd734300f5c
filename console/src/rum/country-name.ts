import { visibleText } from '../format/visible-text.js'

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** `Germany (DE)`; what was sent when it is not a code of ISO 3166-1. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return visibleText(code)
  const name = NAMES.of(code)
  return name === undefined || name === code ? code : `${name} (${code})`
}
