interface AcceptedRange {
  readonly type: string
  readonly quality: number
}

/** Ranges of an `Accept` header that are looked at; no client sends more. */
const MAX_RANGES = 32

function parseRange(text: string): AcceptedRange {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice('q='.length))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/**
 * Which of the offered media types an `Accept` header names with the highest quality, the first named among equals; null
 * when it names none of them. Wildcards name nothing: a client that sends them takes any type (RFC 9110, 12.5.1).
 */
export function namedMediaType<Offered extends string>(accept: string | undefined, offered: readonly Offered[]): Offered | null {
  const ranges = (accept ?? '').split(',', MAX_RANGES).map(parseRange)
  let best: { readonly type: Offered; readonly quality: number } | null = null
  for (const { type, quality } of ranges) {
    const found = offered.find(one => one === type)
    if (found !== undefined && quality > (best?.quality ?? 0)) best = { type: found, quality }
  }
  return best?.type ?? null
}
