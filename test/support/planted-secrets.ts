import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyValue, message } from './protobuf.js'

/** Secrets of one namespace, one for each way to find it; `owner` has four digits and distinguishes them from those of others. */
export interface Secrets {
  readonly card: string
  readonly email: string
  readonly token: string
  readonly keyValue: string
  readonly literal: string
  readonly urlPassword: string
  readonly privateKey: string
}

/** The digits with the check digit of Luhn behind them. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const counted = Number(digit) * (i % 2 === 0 ? 2 : 1)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

export function secretsOf(owner: string): Secrets {
  return {
    card: withCheckDigit(`41110000000${owner}`),
    email: `ada${owner}@secret.example.com`,
    token: `ghp_${owner.repeat(9)}`,
    keyValue: `hunter${owner}x`,
    literal: `Project Nightjar ${owner}`,
    urlPassword: `dbpass${owner}`,
    privateKey: `MIIE${owner}PRIVATEKEYBYTES`
  }
}

/** A string with all of them. */
export function sentenceOf({ card, email, token, keyValue: value, literal, urlPassword, privateKey }: Secrets): string {
  const pem = ['-----BEGIN PRIVATE', ` KEY-----\n${privateKey}\n-----END PRIVATE`, ' KEY-----'].join('')
  const url = `postgres://app:${urlPassword}@db/x`
  return `card ${card} of ${email} token ${token} password=${value} in ${literal} at ${url} ${pem} end`
}

/** Rules that find all of them. */
export function rulesAgainst(all: readonly Secrets[]): object {
  const detectors = ['card', 'email', 'token', 'private_key', 'url_password']
  return { redact: { detectors, keys: ['password'], literals: all.map(({ literal }) => literal) }, drop: [], fields: [] }
}

/** The secrets that occur in some text. */
export function foundIn(text: string, secrets: Secrets): readonly string[] {
  return Object.values(secrets).filter(secret => text.includes(secret))
}

/** The strings that occur in some file below a folder, byte by byte. */
export async function foundInFolder(folder: string, secrets: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    for (const secret of secrets) if (bytes.includes(secret)) found.add(secret)
  }
  return [...found]
}

const text = (value: string): Buffer => message(1, value)

/** An OTLP request with one log that has the string in its body, an attribute and its resource. */
export function otlpLog(sentence: string): Buffer {
  const record = message(2, message(5, text(sentence)), message(6, text('note'), message(2, text(sentence))))
  return message(1, message(1, keyValue(1, 'owner', text(sentence))), message(2, record))
}

/** A span in OTLP/JSON that has the string wherever a sender may put one. */
export function otlpSpan(sentence: string, traceId: string): object {
  const attributes = [{ key: 'note', value: { stringValue: sentence } }]
  const exception = [
    { key: 'exception.type', value: { stringValue: 'Error' } },
    { key: 'exception.message', value: { stringValue: sentence } },
    { key: 'exception.stacktrace', value: { stringValue: `Error: ${sentence}\n  at f (a.js:1:2)` } }
  ]
  const startTimeUnixNano = `${Date.now()}000000`
  const span = {
    ...{ traceId, spanId: traceId.slice(0, 16), name: sentence, startTimeUnixNano, attributes },
    status: { code: 2, message: sentence },
    events: [{ name: 'exception', attributes: exception }, { name: sentence }],
    links: [{ traceId, spanId: traceId.slice(16), attributes }]
  }
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [span] }] }] }
}
