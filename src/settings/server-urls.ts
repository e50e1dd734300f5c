import type { SettingType } from './value-types.js'
import { webUrl } from './value-types.js'

// A URL is shown in logs and refusals; secrets have settings of their own.
function withoutCredentials(raw: string): string | undefined {
  const url = webUrl.parse(raw)
  if (url === undefined) return undefined
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : undefined
}

/** An http or https URL of a store, without a user or password in it. */
export const serverUrl: SettingType<string> = {
  words: 'a URL without user and password, such as http://127.0.0.1:8086',
  parse: withoutCredentials
}

/** URLs of the nodes of one cluster, separated by commas; all http or all https. */
export const serverUrls: SettingType<readonly string[]> = {
  words: 'URLs without user and password, separated by commas, such as https://es-1:9200, https://es-2:9200',
  parse: raw => {
    const urls = raw.split(',').map(part => withoutCredentials(part.trim()))
    const known = urls.filter(url => url !== undefined)
    const schemes = new Set(known.map(url => new URL(url).protocol))
    return known.length === urls.length && schemes.size === 1 ? Object.freeze(known) : undefined
  }
}

/** `postgres://user:password@host:port/database`. */
export const postgresUrl: SettingType<string> = {
  words: 'a URL such as postgres://user:password@127.0.0.1:5432/alidade',
  parse: raw => {
    if (!URL.canParse(raw)) return undefined
    const { protocol, pathname } = new URL(raw)
    return /^postgres(?:ql)?:$/.test(protocol) && pathname.length > 1 ? raw : undefined
  }
}

/** The address of a mail server, without a user or password in it. */
export const smtpUrl: SettingType<string> = {
  words: 'a URL without user and password, such as smtp://mail.example.com:587 or smtps://mail.example.com',
  parse: raw => {
    if (!URL.canParse(raw)) return undefined
    const { protocol, hostname, username, password, pathname } = new URL(raw)
    const isPlain = username === '' && password === '' && /^\/?$/.test(pathname)
    return /^smtps?:$/.test(protocol) && hostname !== '' && isPlain ? raw : undefined
  }
}
