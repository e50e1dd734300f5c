import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { configPath, parseConfig } from '../../agent/src/config/load-config.js'

// The keys of the interface alone.
const SPEC = `
agent:
  namespace: prod
logs:
  enabled: true
  batch_size: 200
  interval: 15s
  journald: false
  docker: false
  files:
    - path: /var/log/syslog
      service: system
      format: syslog
    - path: /var/log/app/*.log
      format: plain
`
const KEY = { SERVICE_API_KEY: 'secret' }
const fault = (text: string, env: Record<string, string> = KEY): string => {
  try {
    parseConfig(text, env, () => 'from-file\n')
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('accepted')
}

describe('the configuration of the agent', () => {
  it('needs the keys of the interface alone', () => {
    const config = parseConfig(SPEC, KEY)
    expect(config).toMatchObject({
      url: 'http://127.0.0.1:8080',
      apiKey: 'secret',
      namespace: { name: 'prod', from: 'agent.namespace' },
      stateDir: '/var/lib/alidade-agent',
      listeners: { enabled: true, intervalMs: 60_000 },
      logs: { enabled: true, batchSize: 200, maxBatchSize: 2000, intervalMs: 15_000, rotateWaitMs: 5_000 }
    })
    expect(config.logs.files).toMatchObject([
      { path: '/var/log/syslog', service: 'system', format: 'syslog', startAt: 'end' },
      { path: '/var/log/app/*.log', service: null, format: 'plain' }
    ])
  })

  it('reads the system journal when it is configured, of the namespace that is named', () => {
    const journald = (text: string) => parseConfig(`logs:\n  journald: ${text}`, KEY).logs.journald
    expect([journald('false'), journald('true')]).toEqual([null, { namespace: null, startAt: 'end' }])
    expect(journald('{namespace: shop, start_at: beginning}')).toEqual({ namespace: 'shop', startAt: 'beginning' })
  })

  it('has containers off, and defaults where they are on', () => {
    const docker = (text: string) => parseConfig(`logs:\n  docker: ${text}`, KEY).logs.docker
    expect([docker('false'), docker('true')]).toEqual([null, { socket: '/var/run/docker.sock', startAt: 'end' }])
    expect(docker('{socket: /run/d.sock, start_at: beginning}')).toEqual({ socket: '/run/d.sock', startAt: 'beginning' })
  })

  it('takes the namespace from the environment first, and from the key where none is named', () => {
    const named = (text: string, env: Record<string, string>) => parseConfig(text, { ...KEY, ...env }).namespace
    expect(named(SPEC, { SERVICE_NAMESPACE: 'stage' })).toEqual({ name: 'stage', from: 'SERVICE_NAMESPACE' })
    expect(named(SPEC, { SERVICE_NAMESPACE: '' })).toEqual({ name: 'prod', from: 'agent.namespace' })
    for (const empty of ['', 'agent:', 'agent:\n  namespace: ""']) expect(named(empty, {})).toBeNull()
  })

  it('reads the API key from the file that is named', () => {
    const key = (text: string, env: Record<string, string>): string => parseConfig(text, env, path => `${path}!\n`).apiKey
    expect(key('agent:\n  api_key_file: /k', {})).toBe('/k!')
    expect(key('agent:\n  api_key: own', { SERVICE_API_KEY_FILE: '/env' })).toBe('own')
    expect(key('', { SERVICE_API_KEY_FILE: '/env' })).toBe('/env!')
    expect(fault('', {})).toContain('no API key')
    expect(key('', { SERVICE_API_KEY: 'own\n' })).toBe('own')
    expect(fault('agent:\n  api_key: a b', {})).toContain('has characters that keys do not have')
    const noFile =
      "the file of the API key (agent.api_key_file) cannot be read: ENOENT: no such file or directory, open '/none/key'; correct the path"
    expect(() => parseConfig('agent:\n  api_key_file: /none/key')).toThrow(noFile)
    expect(() => parseConfig('', { SERVICE_API_KEY_FILE: '/k' }, () => '\n')).toThrow(
      'no API key: /k (SERVICE_API_KEY_FILE) is empty; write a key of kind ingest into it'
    )
  })

  it('takes empty variables for absent ones', () => {
    const env = { SERVICE_URL: '', SERVICE_API_KEY: '', SERVICE_API_KEY_FILE: ' ', SERVICE_NAMESPACE: ' ' }
    const text = 'agent: {url: "http://a", api_key_file: /k, namespace: shop}'
    const { url, apiKey, namespace } = parseConfig(text, env, path => `key-of-${path}`)
    expect([url, apiKey, namespace?.name]).toEqual(['http://a', 'key-of-/k', 'shop'])
  })

  it('is what the example states', () => {
    const { apiKeyFile, namespace, logs } = parseConfig(readFileSync('agent/config.yaml', 'utf8'), {}, () => 'key')
    expect([apiKeyFile, namespace]).toEqual(['/etc/service/agent.key', null])
    expect(logs).toMatchObject({ enabled: true, batchSize: 200, intervalMs: 15_000, journald: null, docker: null })
    expect(logs.files.map(({ path, format }) => [path, format])).toEqual([
      ['/var/log/syslog', 'syslog'],
      ['/var/log/*.log', 'plain']
    ])
  })

  it('is read from the argument, the variable or the default path', () => {
    const env = { SERVICE_CONFIG: '/env.yaml' }
    const paths = [configPath('/arg.yaml', env), configPath(undefined, env), configPath(undefined, { SERVICE_CONFIG: '' })]
    expect(paths).toEqual(['/arg.yaml', '/env.yaml', null])
  })

  it('shows no API key in errors', () => {
    const files = [
      'agent:\n\tapi_key: hunter2',
      'agent: {api_key: hunter2}\nagent: {}',
      'agent: {api_key: [hunter2]}',
      'agent: {api_key: 272727}'
    ]
    for (const file of files) expect(fault(file, {})).not.toMatch(/hunter2|272727/)
    expect(fault('agent: {api_key: a b}', {})).toBe(
      'the API key (agent.api_key) has characters that keys do not have, such as spaces; copy it again'
    )
  })

  it('reads what editors of other systems write', () => {
    const text =
      '\ufeffagent:\r\n  tags: {rack: 7, spare: true}\r\nmetrics:\r\nlisteners:\r\nlogs:\r\n  files:\r\n    - path: /a.log\r\n'
    const { tags, logs } = parseConfig(text, KEY)
    expect([tags, logs.files.map(({ path }) => path)]).toEqual([{ rack: '7', spare: 'true' }, ['/a.log']])
    expect(parseConfig('logs:\n  files:\n', KEY).logs.files).toEqual([])
  })

  it('keeps the login of its address out of what is logged', () => {
    const at = (url: string) => parseConfig(`agent:\n  url: ${url}`, KEY)
    expect(at('https://web:p%40ss@obs.example/a/')).toMatchObject({ url: 'https://obs.example/a', login: 'web:p@ss' })
    expect(at('https://obs.example')).toMatchObject({ url: 'https://obs.example', login: null })
    for (const wrong of ['ftp://web:hunter2@a', 'http://web:hunter2@a:99999', 'http://web:hunter2@a/?b', 'http://web:hunter2%@a'])
      expect(fault(`agent:\n  url: ${wrong}`)).not.toContain('hunter2')
  })

  it('has series of single processors and all devices on request', () => {
    const { metrics } = parseConfig('metrics: {per_cpu: true, all_interfaces: true, containers: false}', KEY)
    expect(metrics).toMatchObject({ perCpu: true, allInterfaces: true, containers: false })
    expect(parseConfig('', KEY).metrics).toMatchObject({ perCpu: false, allInterfaces: false, containers: true })
  })

  it.each([
    ['logs:\n  batchsize: 1', 'logs.batchsize is unknown; did you mean batch_size?'],
    ['traces: {}', 'traces is unknown; known are agent, metrics, listeners, logs'],
    ['metrics:\n  interval: 10ms', 'metrics.interval must be from 1s to 24h (got "10ms")'],
    ['metrics:\n  interval: 25h', 'metrics.interval must be from 1s to 24h (got "25h")'],
    ['logs:\n  poll: 1441m', 'logs.poll must be from 1ms to 24h (got "1441m")'],
    ['listeners:\n  interval: 9s', 'listeners.interval must be from 10s to 1h (got "9s")'],
    ['listeners:\n  interval: 61m', 'listeners.interval must be from 10s to 1h'],
    ['logs:\n  files:\n    - service: a', 'logs.files[0].path is required: a path or pattern, such as /var/log/*.log'],
    ['logs:\n  files:\n    - path: app.log', 'logs.files[0].path must be absolute: begin it with / (got app.log)'],
    [
      'logs:\n  files:\n    - path: /a\n      format: xml',
      'logs.files[0].format must be one of plain, syslog, json, logfmt, cri'
    ],
    ['logs:\n  files:\n    - path: /a[z-a]', 'logs.files[0].path has an invalid range of characters (got /a[z-a])'],
    [
      'logs: {files: [{path: /a/*.log}, {path: /b}, {path: /a/*.log, service: s}]}',
      'logs.files[2].path is that of logs.files[0] (got /a/*.log): remove one of the two entries'
    ],
    ['logs:\n  files:\n    - path: /a\n      multiline: {}', 'logs.files[0].multiline.start is required'],
    [
      'logs:\n  files:\n    - path: /a\n      multiline: {start: "(a"}',
      'logs.files[0].multiline.start has a group without an end (at character 3); got (a'
    ],
    ['logs:\n  interval: 15', 'logs.interval must be a duration such as 15s: a whole number and ms, s, m or h (got 15)'],
    ['logs:\n  batch_size: 0', 'logs.batch_size must be an integer from 1 to 10000 (got 0)'],
    ['logs: {batch_size: "200"}', 'logs.batch_size must be an integer from 1 to 10000 (got "200"); write it without quotes'],
    ['logs: {enabled: "true"}', 'logs.enabled must be true or false (got "true"); write it without quotes'],
    ['agent: {host: 42}', 'agent.host must be a string (got 42); write it in quotes: "42"'],
    [`agent: {host: ${'h'.repeat(256)}}`, 'agent.host must be at most 255 characters (got 256: "hhh'],
    ['agent: {tags: {rack: }}', 'agent.tags.rack must be a string (got null); write "" for an empty one'],
    ['agent: {tags: [a]}', 'agent.tags must be a section of strings, such as team: web (got ["a"])'],
    ['logs: {files: [/a.log]}', 'logs.files[0] must be a section of keys, such as path: (got "/a.log")'],
    ['logs: {files: /a.log}', 'logs.files must be a list, whose entries begin with "- " (got "/a.log")'],
    ['logs: {files: [{path: /a, exclude: /b}]}', 'exclude must be a list of strings (got "/b"); write it as ["/b"]'],
    ['logs: {files: [{path: /a, format: Syslog}]}', '(got "Syslog"); did you mean syslog?'],
    ['- a', 'the file must be a section of keys, such as agent: (got ["a"])'],
    ['logs: {}\n---\nlogs: {}', 'the file is not YAML: it has several documents: remove the line --- at line'],
    [
      'logs: {files: [{path: *.log}]}',
      'the file is not YAML: it has an alias without an anchor: write values that begin with * in quotes'
    ],
    [
      'logs:\n  docker: {socket: docker.sock}',
      'logs.docker.socket must be an absolute path, such as /var/run/docker.sock (got docker.sock)'
    ],
    [
      'logs:\n  journald: yes please',
      'logs.journald must be true, false or a section of keys, such as namespace: (got "yes please")'
    ],
    [
      'logs:\n  journald: {namespace: "*"}',
      'logs.journald.namespace must be a namespace of journald: letters, digits, _, . and - (got *)'
    ],
    ['logs:\n  docker: {start_at: middle}', 'logs.docker.start_at must be one of end, beginning'],
    ['agent:\n  url: localhost:8080', 'agent.url must begin with http:// or https:// (got localhost:8080)'],
    ['agent:\n  url: http://web 1', 'agent.url must be an address such as http://127.0.0.1:8080 (got http://web 1)'],
    ['agent:\n  url: http://a:99999', 'agent.url must be an address'],
    ['agent:\n  url: http://a/?b', 'agent.url must be an address'],
    ['logs: 7', 'logs must be a section of keys, such as enabled: (got 7)'],
    ['a: [', 'the file is not YAML']
  ])('refuses %j', (text, message) => {
    expect(fault(text)).toContain(message)
  })
})
