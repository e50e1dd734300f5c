import { complexityOf, depthOf, QUOTE, skipString } from '../../wire/json/json-structure.js'
import { parseJson } from '../../wire/json/lossless-json.js'
import { isRawObject, type RawObject } from '../raw-object.js'

/** A longer text is a document and no log line. */
const MAX_BYTES = 64 * 1024
/** The limit of names and values of a record (`fields` and `depth` of the limits), and some for punctuation. */
const MAX_COMPLEXITY = 4_000
const MAX_DEPTH = 16

/** Whether brackets go deeper than a record may; looks at no more than the text. */
function isDeep(bytes: Uint8Array): boolean {
  let depth = 0
  for (let i = 0; i < bytes.length;) {
    if (bytes[i] === QUOTE) {
      i = skipString(bytes, i)
      continue
    }
    depth += depthOf(bytes[i]!)
    if (depth > MAX_DEPTH) return true
    i++
  }
  return false
}

/** The object that a string is in JSON, white space around it; null when it is something else or too large to be a record. */
export function parseEmbedded(text: string): RawObject | null {
  if (text.length > MAX_BYTES || !/^\s{0,8}\{/.test(text)) return null
  const bytes = Buffer.from(text)
  if (bytes.length > MAX_BYTES || isDeep(bytes) || complexityOf(bytes, MAX_COMPLEXITY) > MAX_COMPLEXITY) return null
  try {
    const parsed = parseJson(bytes)
    return isRawObject(parsed) ? parsed : null
  } catch {
    // A string that only looks like JSON is a message like any other.
    return null
  }
}
