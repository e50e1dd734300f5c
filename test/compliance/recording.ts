import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ComplianceResult } from './results.js'

const FILE = fileURLToPath(new URL('../fixtures/promql-compliance.json', import.meta.url))

/** Labels are stored once; a line of a response is the place of its labels and the values. */
interface Recording {
  readonly labels: readonly string[]
  readonly responses: Readonly<Record<string, readonly (readonly [labels: number, ...values: (string | null)[]])[] | null>>
}

/** The recorded responses by the digest of their queries. */
export function readRecording(): ReadonlyMap<string, ComplianceResult> {
  const { labels, responses } = JSON.parse(readFileSync(FILE, 'utf8')) as Recording
  const entries = Object.entries(responses).map(([digest, lines]) => {
    const response = lines && Object.fromEntries(lines.map(([label, ...values]) => [labels[label]!, values]))
    return [digest, response] as const
  })
  return new Map(entries)
}

export function writeRecording(responses: ReadonlyMap<string, ComplianceResult>): void {
  const places = new Map<string, number>()
  const placeOf = (key: string): number => {
    const place = places.get(key) ?? places.size
    places.set(key, place)
    return place
  }
  const lines = [...responses].map(([digest, response]) => {
    const series = response && Object.entries(response).map(([key, values]) => [placeOf(key), ...values])
    return `${JSON.stringify(digest)}:${JSON.stringify(series)}`
  })
  const labels = [...places.keys()].map(key => JSON.stringify(key))
  writeFileSync(FILE, `{"labels":[\n${labels.join(',\n')}\n],\n"responses":{\n${lines.join(',\n')}\n}}\n`)
}
