import { GatewayError } from '../domain/errors.js'
import type { Label } from '../domain/metric-point.js'

const BASE64 = '@base64'
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const BASE64_URL = /^[A-Za-z0-9_-]*=*$/

/**
 * The labels in the path of a push, `/metrics/job/<job>{/<label>/<value>}`, as Pushgateway reads it: a name that ends in
 * `@base64` has a value in base64 for URLs, padding optional; an empty value is not a label. Throws `invalid_field`.
 */
export function labelsOfPush(url: string): readonly Label[] {
  const path = url.split('?', 1)[0]!
  const parts = path.slice(path.indexOf('/metrics/job') + '/metrics/'.length).split('/')
  if (parts.length % 2 === 1 && parts.at(-1) === '') parts.pop()
  if (parts.length % 2 === 1) throw refused('names and values of labels must alternate in the path')
  const labels: Label[] = []
  for (let i = 0; i < parts.length; i += 2) {
    const label = labelOf(decoded(parts[i]!), decoded(parts[i + 1]!))
    if (labels.some(({ name }) => name === label.name)) throw refused(`the path names the label ${label.name} twice`)
    labels.push(label)
  }
  if (labels[0]!.value === '') throw refused('the job must not be empty')
  return labels
}

function labelOf(key: string, text: string): Label {
  const isEncoded = key.endsWith(BASE64)
  const name = isEncoded ? key.slice(0, -BASE64.length) : key
  if (!LABEL_NAME.test(name) || name.startsWith('__')) throw refused(`${JSON.stringify(name.slice(0, 60))} cannot name a label`)
  return { name, value: isEncoded ? fromBase64(name, text) : text }
}

function fromBase64(name: string, text: string): string {
  if (!BASE64_URL.test(text)) throw refused(`the value of ${name} is not base64 for URLs`)
  return Buffer.from(text, 'base64url').toString('utf8')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused('the path is not percent-encoded UTF-8')
  }
}

function refused(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field: 'path' })
}
