// Table of events of services. Times are Unix milliseconds, 64-bit integers are read as numbers.

export interface ServiceEventsTable {
  namespace_id: string
  id: string
  type: string
  at_ms: number
  service: string | null
  version: string | null
  environment: string | null
  title: string | null
  url: string | null
  /** JSON: pairs of name and value. */
  attributes: string
}
