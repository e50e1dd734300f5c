/** Names that OpenMetrics gives to what only grows. */
const GROWING = /_(?:total|count|sum|bucket)$/

/** Whether the name of a metric of which nothing else is known states that it only grows. */
export function growsByName(name: string): boolean {
  return GROWING.test(name)
}
