import { flatten } from '../../../domain/flatten.js'
import type { JsonObject } from '../../../domain/json.js'
import { encodeTexts, type TextColumn } from './columns.js'

/** The flattened objects and, where they differ, those as sent. */
interface ObjectTexts {
  readonly flat: TextColumn | null
  readonly sent: TextColumn | null
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** `*_json` is missing for an object without any value, `*_sent` unless flattening changed the object. */
export function encodeObjects<Item>(items: readonly Item[], pick: (item: Item) => JsonObject): ObjectTexts {
  let hasNested = false
  const flat = encodeTexts(items, item => {
    const object = pick(item)
    if (isEmpty(object)) return null
    const flattened = flatten(object)
    if ((flattened as unknown) === object) return JSON.stringify(object)
    hasNested = true
    return isEmpty(flattened) ? null : JSON.stringify(flattened)
  })
  if (!hasNested) return { flat, sent: null }
  const sent = encodeTexts(items, item => {
    const object = pick(item)
    return (flatten(object) as unknown) === object ? null : JSON.stringify(object)
  })
  return { flat, sent }
}
