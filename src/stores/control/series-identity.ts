import { createHash } from 'node:crypto'
import type { Label } from '../../domain/metric-point.js'
import type { CatalogSeries } from '../../ports/series-catalog.js'

// Half of a SHA-256: no two of any number of series that fits a database meet in it.
const KEY_LENGTH = 32

/** Name and labels as one text, escaped so that any database keeps it: `["name","label","value",...]`. */
export function identityOf({ name, labels }: Pick<CatalogSeries, 'name' | 'labels'>): string {
  const parts = [name]
  for (const label of labels) parts.push(label.name, label.value)
  return JSON.stringify(parts)
}

/** The inverse of `identityOf`. */
export function parseIdentity(identity: string): Pick<CatalogSeries, 'name' | 'labels'> {
  const [name, ...parts] = JSON.parse(identity) as [string, ...string[]]
  const labels: Label[] = []
  for (let i = 0; i < parts.length; i += 2) labels.push({ name: parts[i]!, value: parts[i + 1]! })
  return { name, labels }
}

/** A short key of an identity, the same on every gateway and over versions: rows are found by it. */
export function catalogKey(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, KEY_LENGTH)
}

/** A short key of any text, as databases cannot keep any text as it is. */
export function textKey(text: string): string {
  return catalogKey(JSON.stringify(text))
}
