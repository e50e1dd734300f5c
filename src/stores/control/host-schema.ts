// Tables of hosts that agents report. Times are Unix milliseconds, 64-bit integers are read as numbers.

export interface HostsTable {
  namespace_id: string
  id: string
  name: string
  /** JSON: facts of the machine and its agent. */
  report: string
  interval_ms: number
  listeners_sum: string | null
  first_seen_ms: number
  last_seen_ms: number
  listeners_seen_ms: number | null
  /** JSON: the containers of the latest report that listed them. */
  containers: string | null
  containers_seen_ms: number | null
}

export interface HostListenersTable {
  namespace_id: string
  id: string
  host_id: string
  host_name: string
  protocol: string
  address: string
  port: number
  pid: number | null
  process: string | null
  exe: string | null
  command: string | null
  user_name: string | null
  unit: string | null
  container: string | null
  service: string | null
  service_basis: string | null
  first_seen_ms: number
  changed_ms: number
  closed_ms: number | null
}
