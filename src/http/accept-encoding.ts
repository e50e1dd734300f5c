/** Codings of an `Accept-Encoding` header that are read; no client sends more. */
const MAX_CODINGS = 32

function weights(header: string): ReadonlyMap<string, number> {
  const codings = header.split(',', MAX_CODINGS).map(part => part.split(';').map(piece => piece.trim().toLowerCase()))
  return new Map(
    codings.map(([coding = '', ...parameters]) => {
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      const quality = weight === undefined ? 1 : Number(weight.slice('q='.length))
      return [coding, quality >= 0 && quality <= 1 ? quality : 0]
    })
  )
}

/**
 * The offered content coding that an `Accept-Encoding` header prefers, the first offered among equals; null when it accepts
 * none of them, or when it is absent: the bytes are then sent as they are (RFC 9110, 12.5.3).
 */
export function acceptedEncoding<Coding extends string>(header: string | undefined, offered: readonly Coding[]): Coding | null {
  const sent = weights(header ?? '')
  let best: { readonly coding: Coding; readonly quality: number } | null = null
  for (const coding of offered) {
    const quality = sent.get(coding) ?? sent.get('*') ?? 0
    if (quality > (best?.quality ?? 0)) best = { coding, quality }
  }
  return best?.coding ?? null
}
