/** What a test needs to reach one server; search servers without security have no user, InfluxDB has a token. */
export interface ServerAccess {
  readonly url: string
  readonly username?: string
  readonly password?: string
  readonly token?: string
  readonly org?: string
}

/** Names of the environment variables that carry a server's access, and its name for people. */
export const SERVERS = {
  postgres: { label: 'PostgreSQL', variables: { url: 'PG_URL' } },
  es8: { label: 'Elasticsearch 8', variables: { url: 'ES8_URL' } },
  es9: { label: 'Elasticsearch 9', variables: { url: 'ES9_URL', username: 'ES9_USERNAME', password: 'ES9_PASSWORD' } },
  opensearch: { label: 'OpenSearch', variables: { url: 'OPENSEARCH_URL' } },
  influx: { label: 'InfluxDB', variables: { url: 'INFLUX_URL', token: 'INFLUX_TOKEN', org: 'INFLUX_ORG' } }
} as const satisfies Record<string, { label: string; variables: { [field in keyof ServerAccess]: string } }>

export type ServerName = keyof typeof SERVERS

export const SERVER_NAMES = Object.keys(SERVERS) as ServerName[]

type Variables = { readonly [field in keyof ServerAccess]: string }

/** The access that the environment names, or undefined without a URL. */
export function accessFrom(environment: NodeJS.ProcessEnv, name: ServerName): ServerAccess | undefined {
  const variables: Variables = SERVERS[name].variables
  if (!environment[variables.url ?? '']) return undefined
  const fields = Object.entries(variables).map(([field, variable]) => [field, environment[variable]])
  return Object.fromEntries(fields) as ServerAccess
}

/** The environment variables that carry `access`; the reverse of `accessFrom`. */
export function variablesOf(name: ServerName, access: ServerAccess): Record<string, string> {
  const variables: Variables = SERVERS[name].variables
  const entries = Object.entries(variables).map(([field, variable]) => [variable, access[field as keyof ServerAccess]])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>
}
