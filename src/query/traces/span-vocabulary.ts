import { parseDurationNs } from '../../domain/duration.js'
import { SPAN_FIELDS } from '../../domain/records/span.js'
import { SPAN_KINDS, SPAN_STATUSES } from '../../domain/span.js'
import { canonicalSpanId, canonicalTraceId } from '../../domain/trace-ids.js'
import { ValueFault } from '../search-language/leaf.js'
import type { Vocabulary } from '../vocabulary.js'

const DIGITS = /^\d{1,19}$/

/** A length of time as the digits of its nanoseconds. A bare number is one of nanoseconds only if the name states the unit. */
export function durationNs(text: string, asNamed: string): string {
  const ns = asNamed === 'duration_ns' && DIGITS.test(text) ? BigInt(text) : parseDurationNs(text)
  if (ns === null) throw new ValueFault(`${JSON.stringify(text)} is not a duration with a unit`, ['250ms', '1.5s', '40us'])
  return String(ns)
}

/** One of a closed list of words, in any capitalization. */
function word(words: readonly string[]): (text: string) => string {
  return text => {
    const lower = text.toLowerCase()
    if (words.includes(lower)) return lower
    throw new ValueFault(`${JSON.stringify(text)} is not one of its values`, words)
  }
}

const id = (canonical: (text: string) => string | null) => (text: string) => canonical(text) ?? text.toLowerCase()

/** How fields of spans are named: attributes are `attributes.x` (or `attr.x`, or just `x`), those of the resource `resource.x`, those of events and links `event.x` and `link.x`. */
export const SPAN_VOCABULARY: Vocabulary = {
  known: SPAN_FIELDS,
  text: 'name',
  moreStrings: ['service', 'status_message', 'exception_type', 'exception_message'],
  free: 'free',
  aliases: new Map([
    ['operation', 'name'],
    ['duration', 'duration_ns']
  ]),
  prefixes: new Map([
    ['attributes', 'log_fields'],
    ['attr', 'log_fields'],
    ['log_fields', 'log_fields'],
    ['resource', 'tags'],
    ['tags', 'tags'],
    ['event', 'events'],
    ['link', 'links']
  ]),
  spelling: new Map([
    ['kind', word(SPAN_KINDS)],
    ['status', word(SPAN_STATUSES)],
    ['duration_ns', durationNs],
    ['trace_id', id(canonicalTraceId)],
    ['span_id', id(canonicalSpanId)],
    ['parent_span_id', id(canonicalSpanId)]
  ]),
  quantities: new Set(['timestamp', 'duration_ns'])
}
