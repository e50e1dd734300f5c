import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suitePath } from '../support/suite-path.js'

// The official compliance queries of PromQL, which must not be in this repository: they, and the data that they query,
// are next to it where they are available at all.

/** Where the queries are, as `describeWithSuite` takes it. */
export const CASES_FOLDER = 'promql/compliance-cases.json'

const TOOLS = '../tools/promql/lib/'
/** The newest sample's time. */
const DATA_END_MS = 1_700_000_000_000
const DATA_HOURS = 2
/** The suite's testers end twelve minutes before their data and cover ten minutes. Unix seconds. */
const END_S = DATA_END_MS / 1000 - 720

/** The times of every query: seconds. */
export const COMPLIANCE_RANGE = { start: END_S - 600, end: END_S, step: 200 }

export function complianceQueries(): readonly string[] {
  const cases = JSON.parse(readFileSync(suitePath(CASES_FOLDER), 'utf8')) as readonly { readonly query: string }[]
  return cases.map(({ query }) => query)
}

/** What a recorded response is known by, since the query itself stays where it is. */
export function digestOf(query: string): string {
  return createHash('sha256').update(query).digest('hex').slice(0, 16)
}

interface DataTools {
  readonly demoData: (options: { readonly end: number; readonly hours: number }) => readonly unknown[]
}

interface WriteTools {
  readonly push: (
    url: string,
    series: readonly unknown[],
    options: { readonly headers: Readonly<Record<string, string>> }
  ) => Promise<number>
}

/** Sends the data that the queries read to an endpoint of remote write; returns how many samples it took. */
export async function pushComplianceData(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const { demoData } = (await import(suitePath(`${TOOLS}demo-data.mjs`))) as DataTools
  const { push } = (await import(suitePath(`${TOOLS}remote-write.mjs`))) as WriteTools
  return push(url, demoData({ end: DATA_END_MS, hours: DATA_HOURS }), { headers })
}
