const HEX = /^[0-9a-f]+$/

/** Hex digits of a trace id and of a span id. */
const TRACE_ID_DIGITS = 32
const SPAN_ID_DIGITS = 16

function canonical(text: string, digits: number): string | null {
  const lower = text.toLowerCase()
  const significant = lower.replace(/^0+(?=.)/, '')
  return HEX.test(lower) && significant.length <= digits ? significant.padStart(digits, '0') : null
}

/** The trace id as traces are stored under it, out of any capitalization and without or with leading zeros; null for another text. */
export function canonicalTraceId(text: string): string | null {
  return canonical(text, TRACE_ID_DIGITS)
}

/** As `canonicalTraceId` for the id of a span. */
export function canonicalSpanId(text: string): string | null {
  return canonical(text, SPAN_ID_DIGITS)
}

const NO_HIGH_BITS = '0'.repeat(TRACE_ID_DIGITS - SPAN_ID_DIGITS)
const NO_ID = '0'.repeat(TRACE_ID_DIGITS)

/** The last 16 digits of a canonical trace id: all that a sender with 64-bit ids keeps of it (W3C Trace Context, trace-id). */
export function traceIdSuffix(traceId: string): string {
  return traceId.slice(-SPAN_ID_DIGITS)
}

/** Whether a canonical trace id has 64 bits only, and so may mean a trace whose id has more. */
export function isShortTraceId(traceId: string): boolean {
  return traceId.startsWith(NO_HIGH_BITS) && traceId !== NO_ID
}

/** What a sender with 64-bit ids makes of a canonical trace id; null when nothing of it is left. */
export function shortTraceId(traceId: string): string | null {
  const short = NO_HIGH_BITS + traceIdSuffix(traceId)
  return short === NO_ID ? null : short
}

/**
 * The ways in which senders of logs write the id of a trace or a span: in either case, with or without leading zeros, and
 * trace ids of 64 bits with 16 digits.
 */
export function idSpellings(canonicalId: string): readonly string[] {
  const stripped = canonicalId.replace(/^0+(?=.)/, '')
  const spellings = [canonicalId, stripped, stripped.padStart(SPAN_ID_DIGITS, '0')]
  return [...new Set(spellings.flatMap(id => [id, id.toUpperCase()]))]
}

/** The ids under which logs and other records of a trace are stored: every spelling of its canonical id and of the low 64 bits of that. */
export function linkedTraceIds(traceId: string): readonly string[] {
  const short = shortTraceId(traceId)
  return [...new Set([traceId, ...(short === null ? [] : [short])].flatMap(idSpellings))]
}

/** As `linkedTraceIds`, for an id as it was given. */
export function linkedTraceIdsOf(id: string): readonly string[] {
  const known = canonicalTraceId(id)
  return known === null ? [id] : [...new Set([id, ...linkedTraceIds(known)])]
}

/** The id of a span as it was given, and every other way to write it. */
export function spanIdSpellings(id: string): readonly string[] {
  const known = canonicalSpanId(id)
  return known === null ? [id] : [...new Set([id, ...idSpellings(known)])]
}
