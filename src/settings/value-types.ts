import { isIP } from 'node:net'
import { formatDurationMs, parseDurationMs } from '../domain/duration.js'
import { isMailAddress } from '../domain/mail-address.js'

/** How the text of a setting becomes its value. */
export interface SettingType<T> {
  /** For `--help` and for refusals, e.g. `a whole number from 0 to 65535`. */
  readonly words: string
  /** Undefined when the text is not such a value. */
  parse(text: string): T | undefined
  /** The text of a value, for `--help`; absent where `String` does. */
  format?(value: T): string
}

const SIZE = /^(\d+(?:\.\d+)?)\s*(B|KiB|MiB|GiB)?$/
const SIZE_UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }
const PREFIX_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }
const PROXY_GROUPS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Any string that is not empty. */
export const text: SettingType<string> = { words: 'a string', parse: raw => raw }

const MIN_TOKEN_LENGTH = 16

/** A token that can be sent in `Authorization: Bearer`. */
export const token: SettingType<string> = {
  words: `a token of at least ${MIN_TOKEN_LENGTH} visible ASCII characters`,
  parse: raw => (/^[\x21-\x7e]+$/.test(raw) && raw.length >= MIN_TOKEN_LENGTH ? raw : undefined)
}

/** One e-mail address. */
export const mailAddress: SettingType<string> = {
  words: 'an e-mail address such as alerts@example.com',
  parse: raw => (isMailAddress(raw) ? raw : undefined)
}

const MIN_KEY_CHARS = 32

/** A random key, such as `openssl rand -base64 32` prints; shorter ones could be guessed. */
export const encryptionKey: SettingType<string> = {
  words: `a random key of at least ${MIN_KEY_CHARS} characters, such as openssl rand -base64 32 prints`,
  parse: raw => (raw.trim().length >= MIN_KEY_CHARS ? raw.trim() : undefined)
}

/** A whole number between two bounds. */
export function integer(min: number, max: number): SettingType<number> {
  return {
    words: `an integer from ${min} to ${max}`,
    parse: raw => {
      const value = Number(raw)
      return /^\d{1,15}$/.test(raw) && value >= min && value <= max ? value : undefined
    }
  }
}

/** A TCP port; 0 lets the system choose. */
export const port = integer(0, 65_535)

/** Bytes, written as `1048576`, `64KiB` or `10MiB`; at least one. */
export const size: SettingType<number> = {
  words: 'a size such as 512KiB or 10MiB',
  parse: raw => {
    const match = SIZE.exec(raw)
    if (!match) return undefined
    const bytes = Math.round(Number(match[1]) * SIZE_UNITS[match[2] ?? 'B']!)
    return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
  },
  format: bytes => {
    const unit = ['GiB', 'MiB', 'KiB'].find(name => Number.isInteger(bytes / SIZE_UNITS[name]!)) ?? 'B'
    return `${bytes / SIZE_UNITS[unit]!}${unit}`
  }
}

/** A length of time in milliseconds, written as `30s`, `1h30m`, `7d`. */
export const duration: SettingType<number> = {
  words: 'a duration such as 30s, 15m or 7d',
  parse: raw => {
    const ms = parseDurationMs(raw)
    return ms === null || ms <= 0 ? undefined : ms
  },
  format: formatDurationMs
}

/** `true` or `false`. */
export const flag: SettingType<boolean> = {
  words: 'true or false',
  parse: raw => (raw === 'true' ? true : raw === 'false' ? false : undefined)
}

/** One of a closed set of words. */
export function choice<const T extends string>(...words: readonly T[]): SettingType<T> {
  return { words: `one of ${words.join(', ')}`, parse: raw => words.find(word => word === raw) }
}

/** An absolute http or https URL, without a slash at its end. */
export const webUrl: SettingType<string> = {
  words: 'a URL such as https://alidade.example.com',
  parse: raw => (URL.canParse(raw) && /^https?:\/\//.test(raw) ? raw.replace(/\/+$/, '') : undefined)
}

function isNetwork(raw: string): boolean {
  const [address = '', bits, ...rest] = raw.split('/')
  const limit = PREFIX_BITS[isIP(address)]
  if (limit === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= limit)
}

function isProxy(raw: string): boolean {
  return PROXY_GROUPS.has(raw) || isNetwork(raw)
}

/** Addresses, networks (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal`, separated by commas. */
export const proxies: SettingType<readonly string[]> = {
  words: 'addresses or networks separated by commas, such as 10.0.0.0/8, loopback',
  parse: raw => {
    const parts = raw.split(',').map(part => part.trim())
    return parts.every(isProxy) ? Object.freeze(parts) : undefined
  }
}

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z][a-z0-9-]{0,62}$/i

/** Addresses, networks (`10.0.0.0/8`) or host names, separated by commas. */
export const targets: SettingType<readonly string[]> = {
  words: 'addresses, networks or host names separated by commas, such as 10.0.0.0/8, alertmanager.internal',
  parse: raw => {
    const parts = raw.split(',').map(part => part.trim())
    return parts.every(part => isNetwork(part) || HOST_NAME.test(part)) ? Object.freeze(parts) : undefined
  }
}
