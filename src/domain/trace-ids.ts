const HEX = /^[0-9a-f]+$/

/** Hex digits of a trace id and of a span id. */
const TRACE_ID_DIGITS = 32
const SPAN_ID_DIGITS = 16

function canonical(text: string, digits: number): string | null {
  const lower = text.toLowerCase()
  const significant = lower.replace(/^0+(?=.)/, '')
  return HEX.test(lower) && significant.length <= digits ? significant.padStart(digits, '0') : null
}

/** The trace id as traces are stored under it, out of any capitalisation and without or with leading zeros; null for another text. */
export function canonicalTraceId(text: string): string | null {
  return canonical(text, TRACE_ID_DIGITS)
}

/** As `canonicalTraceId` for the id of a span. */
export function canonicalSpanId(text: string): string | null {
  return canonical(text, SPAN_ID_DIGITS)
}

/** The ways in which senders of logs write the id of a trace or a span: either case, with or without leading zeros. */
export function idSpellings(canonicalId: string): readonly string[] {
  const short = canonicalId.replace(/^0+(?=.)/, '')
  return [...new Set([canonicalId, canonicalId.toUpperCase(), short, short.toUpperCase()])]
}

function allSpellings(id: string, known: string | null): readonly string[] {
  return known === null ? [id] : [...new Set([id, ...idSpellings(known)])]
}

/** A trace id as it was given, and every other way to write it. */
export function traceIdSpellings(id: string): readonly string[] {
  return allSpellings(id, canonicalTraceId(id))
}

/** As `traceIdSpellings` for the id of a span. */
export function spanIdSpellings(id: string): readonly string[] {
  return allSpellings(id, canonicalSpanId(id))
}
