/** The settings that decide where data lie, as they were given. */
export interface GivenStores {
  readonly logsStore: 'duckdb' | 'elasticsearch' | null
  readonly eventsStore: 'duckdb' | 'elasticsearch' | null
  readonly metricsStore: 'duckdb' | 'influxdb' | null
  readonly tracesStore: 'duckdb' | 'elasticsearch' | null
  readonly elasticsearchUrl: readonly string[] | null
  readonly elasticsearchCloudId: string | null
  readonly elasticsearchUsername: string | null
  readonly elasticsearchPassword: string | null
  readonly elasticsearchApiKey: string | null
  readonly elasticsearchCaFile: string | null
  readonly influxdbUrl: string | null
  readonly influxdbOrg: string | null
  readonly influxdbToken: string | null
}

/** The store of each signal. */
export interface ChosenStores {
  readonly logsStore: 'duckdb' | 'elasticsearch'
  readonly eventsStore: 'duckdb' | 'elasticsearch'
  readonly metricsStore: 'duckdb' | 'influxdb'
  readonly tracesStore: 'duckdb' | 'elasticsearch'
}

type Condition = readonly [isWrong: boolean, sentence: string]

function hasElasticsearch(given: Pick<GivenStores, 'elasticsearchUrl' | 'elasticsearchCloudId'>): boolean {
  return given.elasticsearchUrl !== null || given.elasticsearchCloudId !== null
}

/** A signal uses the managed store that is named, unless its own setting says otherwise. */
export function chooseStores(given: Omit<GivenStores, 'elasticsearchCaFile'>): ChosenStores {
  const search = hasElasticsearch(given) ? 'elasticsearch' : 'duckdb'
  return {
    logsStore: given.logsStore ?? search,
    eventsStore: given.eventsStore ?? search,
    metricsStore: given.metricsStore ?? (given.influxdbUrl === null ? 'duckdb' : 'influxdb'),
    tracesStore: given.tracesStore ?? search
  }
}

function ofElasticsearch(given: GivenStores): readonly Condition[] {
  const { elasticsearchUsername: user, elasticsearchPassword: password, elasticsearchApiKey: key } = given
  const isNamed = hasElasticsearch(given)
  const hasCredential = user !== null || password !== null || key !== null
  const isPlain = given.elasticsearchUrl?.some(url => url.startsWith('http:')) ?? false
  return [
    [given.logsStore === 'elasticsearch' && !isNamed, 'logs_store is elasticsearch, but elasticsearch_url is missing'],
    [given.eventsStore === 'elasticsearch' && !isNamed, 'events_store is elasticsearch, but elasticsearch_url is missing'],
    [given.tracesStore === 'elasticsearch' && !isNamed, 'traces_store is elasticsearch, but elasticsearch_url is missing'],
    [
      given.elasticsearchUrl !== null && given.elasticsearchCloudId !== null,
      'elasticsearch_url and elasticsearch_cloud_id are both set; set only one'
    ],
    [
      key !== null && (user !== null || password !== null),
      'elasticsearch_api_key is set together with a user or password; set only one'
    ],
    [user !== null && password === null && key === null, 'elasticsearch_username is set, but elasticsearch_password is missing'],
    [user === null && password !== null && key === null, 'elasticsearch_password is set, but elasticsearch_username is missing'],
    [hasCredential && !isNamed, 'credentials of Elasticsearch are set, but elasticsearch_url is missing'],
    [given.elasticsearchCaFile !== null && isPlain, 'elasticsearch_ca_file is set, but elasticsearch_url is not https']
  ]
}

function ofInfluxDb(given: GivenStores): readonly Condition[] {
  const { influxdbUrl: url, influxdbOrg: org, influxdbToken: token } = given
  return [
    [given.metricsStore === 'influxdb' && url === null, 'metrics_store is influxdb, but influxdb_url is missing'],
    [url !== null && org === null, 'influxdb_url is set, but influxdb_org is missing'],
    [url !== null && token === null, 'influxdb_url is set, but influxdb_token is missing'],
    [url === null && (org !== null || token !== null), 'influxdb_org or influxdb_token is set, but influxdb_url is missing']
  ]
}

/** What contradicts itself or is incomplete, each as a sentence. */
export function storeContradictions(given: GivenStores): string[] {
  return [...ofElasticsearch(given), ...ofInfluxDb(given)].flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []))
}
