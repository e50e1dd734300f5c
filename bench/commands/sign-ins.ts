import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FloodKind } from '../attacks/attack.js'
import { startAttack } from '../attacks/attack-process.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const FLOODS: readonly FloodKind[] = ['one-address', 'many-addresses']
const SIGN_INS = 4
/** The flood is in full swing by then. */
const LEAD_MS = 3_000
const LIMIT_MS = 2_000
/** The flood competes with the service for the cores: without that, cheap refusals would prove nothing. */
const NICENESS = 0

/** Where the person is who knows the password. */
interface Origin {
  readonly localAddress?: string
  readonly forwardedFor?: string
}

const ORIGINS: Readonly<Record<FloodKind | 'none', Origin>> = {
  none: { localAddress: '127.0.0.3' },
  'one-address': { localAddress: '127.0.0.3' },
  'many-addresses': { forwardedFor: '198.51.100.7' }
}

function signIn(service: ServiceProcess, { localAddress, forwardedFor }: Origin): Promise<number> {
  const { email, password } = service.firstRun()
  const headers = {
    'content-type': 'application/json',
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor })
  }
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, headers, ...(localAddress === undefined ? {} : { localAddress }) }
    const call = request(`${service.url}/api/v1/auth/login`, options, response => {
      response.resume().on('end', () => resolve(response.statusCode!))
    })
    call.on('error', reject).end(JSON.stringify({ email, password }))
  })
}

interface Measured {
  readonly row: Row
  readonly note: string
}

async function measureOnce(dataDir: string, flood: FloodKind | 'none', nodeArgs: readonly string[]): Promise<Measured> {
  const service = await ServiceProcess.start({ dataDir, nodeArgs, args: ['--trusted-proxies', '127.0.0.1'] })
  try {
    const { email } = service.firstRun()
    const stop = flood === 'none' ? null : startAttack({ kind: 'flood', from: flood, url: service.url, email }, NICENESS)
    await sleep(LEAD_MS)
    const startedAt = performance.now()
    const statuses = await Promise.all(Array.from({ length: SIGN_INS }, () => signIn(service, ORIGINS[flood])))
    const tookMs = performance.now() - startedAt
    const isGood = statuses.every(status => status === 200) && tookMs <= LIMIT_MS
    const row: Row = { flood, statuses: statuses.join(' '), ms: tookMs, [`within ${LIMIT_MS} ms`]: isGood ? 'yes' : 'no' }
    return { row, note: `${flood}: ${(await stop?.()) ?? 'no attempts'}` }
  } finally {
    await service.stop(nodeArgs.length > 0 ? 'SIGTERM' : 'SIGKILL')
  }
}

/** How long four correct sign-ins of one person take while 100 connections try wrong passwords. */
export async function measureSignIns({ only, repeats, nodeArgs }: BenchOptions): Promise<Report> {
  const floods = (['none', ...FLOODS] as const).filter(flood => only.length === 0 || only.includes(flood))
  const measured: Measured[] = []
  for (const flood of floods) {
    for (let i = 0; i < repeats; i++) {
      measured.push(await withTemporaryFolder('alidade-bench', folder => measureOnce(folder, flood, nodeArgs)))
    }
  }
  return {
    title: 'Sign-ins during a flood',
    rows: measured.map(({ row }) => row),
    notes: measured.map(({ note }) => note)
  }
}
