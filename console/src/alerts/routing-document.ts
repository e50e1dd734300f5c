/** Object of a routing, as the API takes it. */
export type RoutingDocument = Readonly<Record<string, unknown>>

/** What the form begins with: the stored document, or one that sends every alert to all channels. */
export function documentText(version: number, document: RoutingDocument, channels: readonly string[]): string {
  return JSON.stringify(version === 0 ? { route: { channels } } : document, null, 2)
}

/** Throws an `Error` that states where the text is not the JSON of an object. */
export function parseDocument(text: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new Error(`The document is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as Record<string, unknown>
  throw new Error('The document must be a JSON object with the member route.')
}

/** Whether the default route has a channel. Alerts that no other route takes are sent to it. */
export function hasDefaultChannel(document: RoutingDocument): boolean {
  const route = document['route'] as { readonly channels?: unknown } | null | undefined
  return Array.isArray(route?.channels) && route.channels.length > 0
}
