import { isRawObject } from './raw-object.js'

/**
 * The namespace that the records of a batch name when the batch itself names none: the only one that any of them
 * names, else undefined. Each record is checked against the outcome later (`ItemCheck.ownNamespace`).
 */
export function namespaceOfItems(items: readonly unknown[]): string | undefined {
  let found: string | undefined
  for (const item of items) {
    if (!isRawObject(item)) continue
    const { namespace } = item
    if (typeof namespace !== 'string' || namespace === '' || namespace === found) continue
    if (found !== undefined) return undefined
    found = namespace
  }
  return found
}
