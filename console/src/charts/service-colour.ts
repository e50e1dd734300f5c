const SERIES = 8

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/**
 * Colours of services, as custom properties: by the hash of the name, so that a service keeps its colour on all pages; the
 * next free one when another service has it. The order of the list does not matter: rows arrive in any.
 */
export function serviceColours(services: readonly string[]): ReadonlyMap<string, string> {
  const colours = new Map<string, string>()
  const taken = new Set<number>()
  for (const service of new Set(services.toSorted())) {
    let at = hash(service) % SERIES
    for (let tries = 0; taken.has(at) && tries < SERIES; tries++) at = (at + 1) % SERIES
    taken.add(at)
    if (taken.size === SERIES) taken.clear()
    colours.set(service, `var(--series-${at + 1})`)
  }
  return colours
}
