/** How to reach an Elasticsearch or OpenSearch cluster. */
export interface ElasticsearchServer {
  /** Nodes of one cluster; null when a cloud id names it. */
  readonly urls: readonly string[] | null
  readonly cloudId: string | null
  readonly username: string | null
  readonly password: string | null
  readonly apiKey: string | null
  /** PEM text of the authority that signed its certificates. */
  readonly ca: string | null
}

/** How to reach an InfluxDB 2 server. */
export interface InfluxServer {
  readonly url: string
  readonly org: string
  readonly token: string
  /** Namespaces with a bucket of their own; later ones share one. */
  readonly dedicatedBuckets: number
}

/** Where each kind of data lies. */
export interface StoreChoice {
  readonly logs: 'duckdb' | 'elasticsearch'
  readonly events: 'duckdb' | 'elasticsearch'
  readonly metrics: 'duckdb' | 'influxdb'
  readonly traces: 'duckdb' | 'elasticsearch'
  /** Not null when a signal is there. */
  readonly elasticsearch: ElasticsearchServer | null
  /** Copies of each shard next to the first; `auto`: one as soon as there are two data nodes. */
  readonly elasticsearchReplicas: number | 'auto'
  /** Not null when a signal is there. */
  readonly influxdb: InfluxServer | null
  /** PostgreSQL for users, keys and namespaces; null for the embedded database. */
  readonly databaseUrl: string | null
  /** Bytes that records may take on disk while a managed store does not respond, all stores together. */
  readonly spoolBytes: number
}

/** Everything in the data folder. */
export const ALL_EMBEDDED: StoreChoice = {
  logs: 'duckdb',
  events: 'duckdb',
  metrics: 'duckdb',
  traces: 'duckdb',
  elasticsearch: null,
  elasticsearchReplicas: 'auto',
  influxdb: null,
  databaseUrl: null,
  spoolBytes: 0
}

/** Whether the embedded engine is needed at all. */
export function usesEmbedded({ logs, events, metrics, traces }: StoreChoice): boolean {
  return [logs, events, metrics, traces].includes('duckdb')
}

/** Folder of the data folder in which records wait for managed stores. */
export const SPOOL_FOLDER = 'spool'

/** File of the data folder whose lock says who has it open. */
export const LOCK_FILE = 'lock'

/** Whether a signal is in Elasticsearch. */
export function usesElasticsearch({ logs, events, traces }: StoreChoice): boolean {
  return [logs, events, traces].includes('elasticsearch')
}

/** Whether a signal is in a managed store. */
export function usesManaged(choice: StoreChoice): boolean {
  return usesElasticsearch(choice) || choice.metrics === 'influxdb'
}
