// Tables of service level objectives. 64-bit integers are read as numbers; times are Unix milliseconds.

/** Present versions of SLOs. */
export interface SlosTable {
  namespace_id: string
  id: string
  group_id: string
  name: string
  version: number
  revision: number
  revision_since_ms: number
  /** JSON of `SloContent`. */
  content: string
  updated_by: string
  updated_at_ms: number
}

/** All kept versions of SLOs, the present one included. */
export interface SloVersionsTable {
  namespace_id: string
  slo_id: string
  version: number
  group_id: string
  revision: number
  revision_since_ms: number
  content: string
  updated_by: string
  updated_at_ms: number
}
