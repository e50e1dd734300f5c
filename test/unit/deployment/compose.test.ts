import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { SETTINGS } from '../../../src/config/settings.js'

interface Service {
  readonly image?: string
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly healthcheck?: object
  readonly profiles?: readonly string[]
  readonly read_only?: boolean
}

const composition = parse(readFileSync('docker-compose.yml', 'utf8')) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const services = Object.entries(composition.services)
const alidade = composition.services['alidade']!
const dockerfile = readFileSync('Dockerfile', 'utf8')

describe('docker-compose.yml', () => {
  it.each(services)('pins the image of %s', (_name, { image }) => {
    expect(image).toMatch(/:(?!latest)[\w.]+$/)
  })

  it('gives the service settings that it has', () => {
    const known = Object.keys(SETTINGS).map(key => `ALIDADE_${key.toUpperCase()}`)
    expect(Object.keys(alidade.environment).filter(name => !known.includes(name))).toEqual([])
  })

  it.each(services)('takes the secrets of %s from outside', (_name, { environment }) => {
    const secrets = Object.entries(environment).filter(([name]) => /PASSWORD|TOKEN|DATABASE_URL/.test(name))
    expect(secrets.filter(([, value]) => !/\$\{\w+:[?-]/.test(value))).toEqual([])
  })

  it('reads exactly the variables that .env.example lists', () => {
    const taken = JSON.stringify(composition).matchAll(/\$\{(\w+)/g)
    const offered = [...readFileSync('.env.example', 'utf8').matchAll(/^(\w+)=/gm)].map(match => match[1])
    expect(new Set([...taken].map(match => match[1]))).toEqual(new Set(offered))
  })

  it('waits for stores that respond, each with a check of its health', () => {
    const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on))
    const unhealthy = waits.filter(
      ([name, { condition }]) => condition === 'service_healthy' && !composition.services[name]?.healthcheck
    )
    expect(waits.length).toBeGreaterThan(3)
    expect(unhealthy).toEqual([])
    expect(dockerfile).toContain('HEALTHCHECK')
  })

  it('keeps data in named volumes', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map(volume => volume.split(':')[0]!))
    expect(new Set(mounts)).toEqual(new Set(Object.keys(composition.volumes)))
  })

  it('publishes nothing beyond this machine', () => {
    const ports = services.flatMap(([, { ports = [] }]) => ports)
    expect(ports.filter(port => !port.startsWith('127.0.0.1:'))).toEqual([])
  })
})

describe('the image of the service', () => {
  it('runs as an ordinary user on a read-only file system', () => {
    expect(dockerfile.split('\nFROM ').at(-1)).toMatch(/^USER node$/m)
    expect(alidade.read_only).toBe(true)
  })
})

describe.each([
  { image: 'service', file: 'Dockerfile', ignored: '.dockerignore', script: 'start' },
  { image: 'agent', file: 'agent/Dockerfile', ignored: 'agent/Dockerfile.dockerignore', script: 'agent' }
])('the image of the $image', ({ file, ignored, script }) => {
  const lines = readFileSync(file, 'utf8')

  it(`is built from what ${ignored} lets in`, () => {
    const allowed = [...readFileSync(ignored, 'utf8').matchAll(/^!(.+)$/gm)].map(match => match[1]!)
    const copies = [...lines.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(match => match[1]!.split(' '))
    const isAllowed = (path: string): boolean => allowed.some(entry => path === entry || path.startsWith(`${entry}/`))
    expect(copies.length).toBeGreaterThan(3)
    expect(copies.filter(path => !existsSync(path) || !isAllowed(path))).toEqual([])
  })

  it(`starts what npm run ${script} starts`, () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    const command = /^CMD (.+)$/m.exec(lines)![1]!
    expect((JSON.parse(command) as string[]).join(' ')).toBe(scripts[script])
  })
})
