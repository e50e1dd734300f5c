import { flatten } from '../../../domain/flatten.js'
import type { JsonObject } from '../../../domain/json.js'
import { encodeStringColumn, type WireColumn } from './columns.js'

/** The flattened objects and, where they differ, those as sent. */
interface ObjectStrings {
  readonly flat: WireColumn
  readonly sent: WireColumn
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** Neighbors often share an object, as spans share their resource: its text is made once. */
function remembering(write: (object: JsonObject) => string | null): (object: JsonObject) => string | null {
  let last: JsonObject | null = null
  let text: string | null = null
  return object => {
    if (object !== last) text = write(object)
    last = object
    return text
  }
}

/** `*_json` is missing for an object without any value, `*_sent` unless flattening changed the object. */
export function encodeObjects<Item>(items: readonly Item[], pick: (item: Item) => JsonObject): ObjectStrings {
  let hasNested = false
  const writeFlat = remembering(object => {
    if (isEmpty(object)) return null
    const flattened = flatten(object)
    if ((flattened as unknown) === object) return JSON.stringify(object)
    hasNested = true
    return isEmpty(flattened) ? null : JSON.stringify(flattened)
  })
  const flat = encodeStringColumn(items, item => writeFlat(pick(item)))
  if (!hasNested) return { flat, sent: null }
  const writeSent = remembering(object => ((flatten(object) as unknown) === object ? null : JSON.stringify(object)))
  return { flat, sent: encodeStringColumn(items, item => writeSent(pick(item))) }
}
