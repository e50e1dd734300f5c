import { describe, expect, it } from '@jest/globals'
import { mailSettingsOf } from '../../src/app/mail-settings.js'
import type { Config } from '../../src/config/config.js'
import { ConfigError, loadConfig } from '../../src/config/config.js'
import { helpText } from '../../src/config/help.js'
import { SETTINGS } from '../../src/config/settings.js'

function noFile(path: string): string {
  throw new Error(`ENOENT: no such file, open '${path}'`)
}

function files(content: Readonly<Record<string, string>>): (path: string) => string {
  return path => content[path] ?? noFile(path)
}

function problemsOf(load: () => Config): readonly string[] {
  try {
    load()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
  }
  throw new Error('the settings were accepted')
}

describe('where settings come from', () => {
  it('has defaults for everything', () => {
    const config = loadConfig([], {}, noFile)
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, dataDir: './data', ingestPort: null, limitBody: 10_485_760 })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('lets flags win over the environment and the environment over the file', () => {
    const file = { 'a.yaml': 'port: 1\nhost: 127.0.0.2\nlog_level: debug\ntrusted_proxies: [10.0.0.0/8, loopback]' }
    const env = { ALIDADE_CONFIG: 'a.yaml', ALIDADE_PORT: '2', ALIDADE_HOST: '127.0.0.3' }
    const config = loadConfig(['--port=3'], env, files(file))
    expect(config).toMatchObject({ port: 3, host: '127.0.0.3', logLevel: 'debug', trustedProxies: ['10.0.0.0/8', 'loopback'] })
  })

  it('reads a secret from a file without its last line end', () => {
    const config = loadConfig([], { ALIDADE_ADMIN_PASSWORD_FILE: '/run/pw' }, files({ '/run/pw': 'long enough\n' }))
    expect(config.adminPassword).toBe('long enough')
  })

  it('counts an empty variable as not set and leaves those of the tools alone', () => {
    expect(loadConfig([], { ALIDADE_PORT: '', ALIDADE_BENCH_PROBE: 'x', PATH: '/bin' }, noFile).port).toBe(8080)
  })
})

describe('access to the metrics by default', () => {
  const token = { ALIDADE_METRICS_TOKEN: 'a-token-of-metrics' }
  it.each([
    [[], {}, 'local'],
    [['--host', '0.0.0.0'], {}, 'off'],
    [['--public-url', 'https://a.example'], {}, 'off'],
    [['--trusted-proxies', 'loopback'], {}, 'off'],
    [['--host', '0.0.0.0', '--metrics-access', 'open'], {}, 'open'],
    [['--host', '0.0.0.0'], token, 'token'],
    [[], token, 'token'],
    [['--metrics-access', 'off'], token, 'off']
  ])('is decided for %j and %j', (argv, env, expected) => {
    expect(loadConfig(argv, env, noFile).metricsAccess).toBe(expected)
  })

  it('needs a token that is one', () => {
    expect(() => loadConfig(['--metrics-access', 'token'], {}, noFile)).toThrow('metrics_token')
    expect(() => loadConfig([], { ALIDADE_METRICS_TOKEN: 'short' }, noFile)).toThrow('at least 16 visible ASCII characters')
  })
})

describe('the mail server', () => {
  const from = ['--smtp-from', 'alerts@example.com']
  const mailOf = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    mailSettingsOf(loadConfig(argv, env, noFile))

  it('is absent by default, and has the port of its protocol', () => {
    expect(mailOf([])).toBeNull()
    const common = { user: null, from: 'alerts@example.com' }
    expect(mailOf(['--smtp-url', 'smtp://mail.example.com', ...from])).toEqual({
      ...common,
      ...{ host: 'mail.example.com', port: 587, isTls: false }
    })
    const signedIn = ['--smtp-url', 'smtps://[::1]:4650', '--smtp-username', 'alidade', ...from]
    expect(mailOf(signedIn, { ALIDADE_SMTP_PASSWORD: 's3cret' })).toEqual({
      ...{ host: '::1', port: 4650, isTls: true, user: { name: 'alidade', password: 's3cret' }, from: 'alerts@example.com' }
    })
  })

  it.each([
    [['--smtp-url', 'smtp://mail.example.com'], 'smtp_from'],
    [from, 'smtp_url'],
    [['--smtp-url', 'smtp://user:s3cret@mail.example.com', ...from], 'a URL without user and password'],
    [['--smtp-url', 'https://mail.example.com', ...from], 'such as smtp://'],
    [['--smtp-url', 'smtp://mail.example.com', '--smtp-from', 'Alerts <a@example.com>'], 'an e-mail address'],
    [['--smtp-url', 'smtp://mail.example.com', '--smtp-username', 'alidade', ...from], 'smtp_password']
  ])('is refused as %j', (argv, problem) => {
    expect(() => loadConfig(argv, {}, noFile)).toThrow(problem)
  })
})

describe('registration by default', () => {
  it.each([
    [[], 'local'],
    [['--host', 'localhost'], 'local'],
    [['--host', '0.0.0.0'], 'invite'],
    [['--public-url', 'https://a.example'], 'invite'],
    [['--trusted-proxies', 'loopback'], 'invite'],
    [['--host', '0.0.0.0', '--registration', 'open'], 'open']
  ])('is decided for %j', (argv, expected) => {
    expect(loadConfig(argv, {}, noFile).registration).toBe(expected)
  })
})

describe('settings that are not valid', () => {
  it('are all listed at once with their names', () => {
    const env = { ALIDADE_PORT: 'abc', ALIDADE_LOG_LEVL: 'info', ALIDADE_CONFIG: 'a.yaml' }
    const argv = ['--data-dri', './x', '--limit-body', '0MiB', '--trusted-proxies', '10.0.0.0/64']
    const problems = problemsOf(() => loadConfig(argv, env, files({ 'a.yaml': 'hots: a\nport: {a: 1}' })))
    expect(problems).toEqual([
      '--data-dri is not a setting: did you mean --data-dir?',
      './x is not a setting',
      'ALIDADE_LOG_LEVL is not a setting: did you mean ALIDADE_LOG_LEVEL?',
      'hots in a.yaml is not a setting: did you mean host?',
      'port in a.yaml must be a string, a number, true, false or a list of strings',
      'port (--port, ALIDADE_PORT): "abc" is not an integer from 0 to 65535',
      'trusted_proxies (--trusted-proxies, ALIDADE_TRUSTED_PROXIES): "10.0.0.0/64" is not addresses or networks separated by commas, such as 10.0.0.0/8, loopback',
      'limit_body (--limit-body, ALIDADE_LIMIT_BODY): "0MiB" is not a size such as 512KiB or 10MiB'
    ])
  })

  it('include a missing file, an ingest port that is the API port, and a secret as a flag', () => {
    const argv = ['--config', 'none.yaml', '--ingest-port=8080', '--admin-password', 'x']
    expect(problemsOf(() => loadConfig(argv, {}, noFile))).toEqual([
      '--admin-password is not a setting',
      'x is not a setting',
      "config (--config, ALIDADE_CONFIG): ENOENT: no such file, open 'none.yaml'",
      'ingest_port (--ingest-port, ALIDADE_INGEST_PORT): 8080 is the port of the API'
    ])
  })

  it('include every port that is given twice', () => {
    const argv = ['--otlp-http-port', '9000', '--ingest-port', '9000', '--otlp-grpc-port', '8080']
    expect(problemsOf(() => loadConfig(argv, {}, noFile))).toEqual([
      'otlp_http_port (--otlp-http-port, ALIDADE_OTLP_HTTP_PORT): 9000 is the port of ingest',
      'otlp_grpc_port (--otlp-grpc-port, ALIDADE_OTLP_GRPC_PORT): 8080 is the port of the API'
    ])
    const none = ['--port', '0', '--ingest-port', '0', '--otlp-http-port', '0', '--otlp-grpc-port', '0']
    expect(loadConfig(none, {}, noFile)).toMatchObject({ otlpHttpPort: 0, otlpGrpcPort: 0 })
  })

  it('never show a secret', () => {
    expect(problemsOf(() => loadConfig([], { ALIDADE_ADMIN_PASSWORD_FILE: 'f' }, files({ f: '\n' }))).join()).not.toContain('\\n')
  })
})

describe('the store of each signal', () => {
  const search = { ALIDADE_ELASTICSEARCH_URL: 'https://a:9200/, https://b:9200' }
  const influx = { ALIDADE_INFLUXDB_URL: 'http://i:8086', ALIDADE_INFLUXDB_ORG: 'o', ALIDADE_INFLUXDB_TOKEN: 't' }

  it.each<[Record<string, string>, [string, string, string]]>([
    [{}, ['duckdb', 'duckdb', 'duckdb']],
    [search, ['elasticsearch', 'elasticsearch', 'duckdb']],
    [{ ALIDADE_ELASTICSEARCH_CLOUD_ID: `a:${btoa('eu.example.com:443$abc$def')}` }, ['elasticsearch', 'elasticsearch', 'duckdb']],
    [influx, ['duckdb', 'duckdb', 'influxdb']],
    [{ ...search, ...influx, ALIDADE_EVENTS_STORE: 'duckdb' }, ['elasticsearch', 'duckdb', 'influxdb']],
    [{ ...influx, ALIDADE_METRICS_STORE: 'duckdb' }, ['duckdb', 'duckdb', 'duckdb']]
  ])('follows from %j', (env, [logs, events, metrics]) => {
    expect(loadConfig([], env, noFile)).toMatchObject({ logsStore: logs, eventsStore: events, metricsStore: metrics })
  })

  it('is reached with secrets from files, over nodes of one cluster, past a private authority', () => {
    const env = {
      ...search,
      ALIDADE_ELASTICSEARCH_API_KEY_FILE: 'key',
      ALIDADE_ELASTICSEARCH_CA_FILE: 'ca',
      ALIDADE_DATABASE_URL_FILE: 'db'
    }
    const pem = '-----BEGIN CERTIFICATE-----\nMII\n'
    expect(loadConfig([], env, files({ key: 'abc\n', ca: pem, db: 'postgres://u:p@db/alidade\n' }))).toMatchObject({
      elasticsearchUrl: ['https://a:9200', 'https://b:9200'],
      elasticsearchApiKey: 'abc',
      elasticsearchCaFile: pem,
      databaseUrl: 'postgres://u:p@db/alidade'
    })
  })

  it('is refused with every contradiction at once', () => {
    const env = {
      ALIDADE_LOGS_STORE: 'elasticsearch',
      ALIDADE_EVENTS_STORE: 'elasticsearch',
      ALIDADE_METRICS_STORE: 'influxdb',
      ALIDADE_ELASTICSEARCH_USERNAME: 'u',
      ALIDADE_ELASTICSEARCH_API_KEY: 'k',
      ALIDADE_ELASTICSEARCH_CA_FILE: 'none.pem',
      ALIDADE_INFLUXDB_ORG: 'o',
      ALIDADE_DATABASE_URL: 'mysql://u:geheim@db/alidade'
    }
    const problems = problemsOf(() => loadConfig([], env, noFile))
    expect(problems).toEqual([
      'database_url (--database-url-file, ALIDADE_DATABASE_URL_FILE): it is not a URL such as postgres://user:password@127.0.0.1:5432/alidade',
      "elasticsearch_ca_file (--elasticsearch-ca-file, ALIDADE_ELASTICSEARCH_CA_FILE): ENOENT: no such file, open 'none.pem'",
      'logs_store is elasticsearch, but elasticsearch_url is missing',
      'events_store is elasticsearch, but elasticsearch_url is missing',
      'elasticsearch_api_key is set together with a user or password; set only one',
      'credentials of Elasticsearch are set, but elasticsearch_url is missing',
      'metrics_store is influxdb, but influxdb_url is missing',
      'influxdb_org or influxdb_token is set, but influxdb_url is missing'
    ])
  })

  it.each([
    [{ ALIDADE_ELASTICSEARCH_URL: 'https://a', ALIDADE_ELASTICSEARCH_USERNAME: 'u' }, 'elasticsearch_password is missing'],
    [{ ALIDADE_ELASTICSEARCH_URL: 'https://a', ALIDADE_ELASTICSEARCH_PASSWORD: 'p' }, 'elasticsearch_username is missing'],
    [{ ALIDADE_ELASTICSEARCH_URL: 'http://a', ALIDADE_ELASTICSEARCH_CA_FILE: 'ca' }, 'elasticsearch_url is not https'],
    [{ ALIDADE_ELASTICSEARCH_URL: 'https://a', ALIDADE_ELASTICSEARCH_CA_FILE: 'key' }, 'key does not contain a PEM certificate'],
    [{ ALIDADE_ELASTICSEARCH_URL: 'http://a, https://b' }, 'is not URLs without user'],
    [{ ALIDADE_ELASTICSEARCH_URL: 'http://u:p@a' }, 'is not URLs without user'],
    [{ ALIDADE_ELASTICSEARCH_CLOUD_ID: 'cluster:!!' }, 'is not a cloud id'],
    [{ ALIDADE_INFLUXDB_URL: 'http://i' }, 'influxdb_org is missing'],
    [{ ALIDADE_INFLUXDB_URL: 'http://i', ALIDADE_INFLUXDB_ORG: 'o' }, 'influxdb_token is missing'],
    [{ ALIDADE_DATABASE_URL: 'postgres://db' }, 'it is not a URL such as postgres://']
  ])('is refused for %j', (env, words) => {
    const read = files({ ca: '-----BEGIN CERTIFICATE-----', key: 'abc' })
    expect(problemsOf(() => loadConfig([], env, read)).join('\n')).toContain(words)
  })
})

it('prints every setting of the table in the help', () => {
  const help = helpText()
  for (const key of Object.keys(SETTINGS)) expect(help).toContain(`ALIDADE_${key.toUpperCase()}`)
})
