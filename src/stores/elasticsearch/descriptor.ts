import { serverUrls } from '../../settings/server-urls.js'
import { certificateFile, secret, setting, type SettingValues } from '../../settings/setting.js'
import { integer, text } from '../../settings/value-types.js'
import type { Contradiction, EngineDescriptor } from '../shared/engine-descriptor.js'
import { cloudId } from './client/cloud-id.js'
import type { ElasticsearchServer } from './client/node-transport.js'

const NAME = 'elasticsearch'

const SETTINGS = {
  elasticsearch_url: setting(serverUrls, null, 'nodes of an Elasticsearch or OpenSearch cluster'),
  elasticsearch_cloud_id: setting(cloudId, null, 'Elastic Cloud deployment, instead of elasticsearch_url'),
  elasticsearch_username: setting(text, null, 'user of the cluster'),
  elasticsearch_password: secret('password of that user'),
  elasticsearch_api_key: secret('encoded API key of the cluster, instead of user and password'),
  elasticsearch_ca_file: certificateFile('PEM file of the CA of the cluster'),
  elasticsearch_replicas: setting(
    integer(0, 10),
    null,
    'replicas of each shard; default 1 if the cluster has several data nodes, else 0'
  )
}

type Values = SettingValues<typeof SETTINGS>

function isConfigured({ elasticsearchUrl, elasticsearchCloudId }: Values): boolean {
  return elasticsearchUrl !== null || elasticsearchCloudId !== null
}

function contradictions(values: Values): readonly Contradiction[] {
  const { elasticsearchUsername: user, elasticsearchPassword: password, elasticsearchApiKey: key } = values
  const hasCredential = user !== null || password !== null || key !== null
  const isPlain = values.elasticsearchUrl?.some(url => url.startsWith('http:')) ?? false
  return [
    [
      values.elasticsearchUrl !== null && values.elasticsearchCloudId !== null,
      'elasticsearch_url and elasticsearch_cloud_id are both set; set only one'
    ],
    [
      key !== null && (user !== null || password !== null),
      'elasticsearch_api_key is set together with a user or password; set only one'
    ],
    [user !== null && password === null && key === null, 'elasticsearch_username is set, but elasticsearch_password is missing'],
    [user === null && password !== null && key === null, 'elasticsearch_password is set, but elasticsearch_username is missing'],
    [hasCredential && !isConfigured(values), 'credentials of Elasticsearch are set, but elasticsearch_url is missing'],
    [values.elasticsearchCaFile !== null && isPlain, 'elasticsearch_ca_file is set, but elasticsearch_url is not https']
  ]
}

function serverOf(values: Values): ElasticsearchServer {
  return {
    urls: values.elasticsearchUrl,
    cloudId: values.elasticsearchCloudId,
    username: values.elasticsearchUsername,
    password: values.elasticsearchPassword,
    apiKey: values.elasticsearchApiKey,
    ca: values.elasticsearchCaFile
  }
}

/** Elasticsearch or OpenSearch: logs, page timings, errors and traces. */
export const elasticsearch: EngineDescriptor<typeof SETTINGS> = {
  name: NAME,
  title: 'Elasticsearch',
  signals: ['logs', 'events', 'traces'],
  backup: 'take a snapshot of its indices',
  settings: SETTINGS,
  address: 'elasticsearch_url',
  isConfigured,
  contradictions,
  configure: values => {
    const server = serverOf(values)
    const replicas = values.elasticsearchReplicas ?? 'auto'
    return {
      open: async ({ control, directory, clock, logger, jobs, installation, queryTimeoutMs }) => {
        const { openElasticsearchStores } = await import('./elasticsearch-stores.js')
        const stores = await openElasticsearchStores({
          server,
          catalog: control.indices,
          namespaces: directory,
          clock,
          logger,
          jobs,
          installation,
          limits: { replicas, readTimeoutMs: queryTimeoutMs }
        })
        return { name: NAME, ...stores }
      },
      examine: async clock => {
        const { examineCluster } = await import('./examine/examine-cluster.js')
        return examineCluster(server, replicas, clock)
      }
    }
  }
}
