/** A page's origin; null for one without a host, and for other schemes. */
export function parseOrigin(text: string | undefined): URL | null {
  if (text === undefined || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/** Origins of this installation: that of the public URL, and the host that a request names. */
export class OwnOrigins {
  readonly #publicUrl: URL | null

  constructor(publicUrl: string | null) {
    this.#publicUrl = publicUrl === null ? null : new URL(publicUrl)
  }

  /** Whether pages of the origin belong to this installation. `host` is that of the request. */
  has(origin: URL, host: string): boolean {
    // The public host under another scheme is another origin.
    if (origin.host === this.#publicUrl?.host) return origin.origin === this.#publicUrl.origin
    const ofHost = parseOrigin(`${origin.protocol}//${host}`)
    return ofHost !== null && ofHost.origin === origin.origin
  }
}
