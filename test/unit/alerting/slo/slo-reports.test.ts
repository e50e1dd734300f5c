import { expect, it } from '@jest/globals'
import { parseSlo } from '../../../../src/alerting/slo/parse-slo.js'
import { SloReports } from '../../../../src/alerting/slo/slo-report.js'
import type { Slo } from '../../../../src/domain/alerts/slo.js'
import type { UserId } from '../../../../src/domain/ids.js'
import { writeGrid } from '../../../../src/query/promql/grid-bytes.js'
import type { PromqlRequest } from '../../../../src/query/promql/promql-request.js'
import { namespace } from '../../../contract/control-fixtures.js'
import { readPromql } from '../../../support/alert-rules.js'

const SHOP = namespace('shop')
const NOW_MS = Date.parse('2026-11-24T12:00:00Z')
const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n, monotonicMs: () => 0 }
const SLO: Slo = {
  ...parseSlo({ name: 'checkout', service: 'shop', objective: 99.9, window: '7d', indicator: { availability: {} } }, readPromql),
  ...{ id: 'slo', groupId: 'group', namespaceId: SHOP.id, version: 1, revision: 1, revisionSinceMs: 0 },
  ...{ updatedBy: 'user' as UserId, updatedAtMs: 0 }
}

/** Reports over recordings of each minute, of which the store can read all but `gaps`. */
function reportsWith(gaps: PromqlRequest['gaps']): SloReports {
  const run = async (_ns: unknown, request: PromqlRequest): Promise<Uint8Array<ArrayBuffer>> => {
    const { count } = request.steps
    const line = (value: string, each: number) => ({
      labels: { labels: [{ name: 'sli', value }] },
      ...{ values: new Float64Array(count).fill(each), present: new Uint8Array(count).fill(1), histograms: undefined }
    })
    const series = [line('bad', 0), line('total', 300), line('minutes', 60)]
    const result = { value: { type: 'vector', series }, warnings: [], infos: [] }
    return writeGrid({ ...request, gaps }, result as never, 1_000_000)
  }
  return new SloReports({ promql: { run }, clock, settings: { timeoutMs: 1_000 } })
}

it('is a part where the store could not read all recordings, whatever is in the rest', async () => {
  const signal = new AbortController().signal
  expect(await reportsWith([]).report(SHOP, SLO, signal)).toMatchObject({ state: 'complete', complete: true, total: 10_080 })
  const range = { startNs: 0n, endNs: 1n }
  expect(await reportsWith([range] as never).report(SHOP, SLO, signal)).toMatchObject({ state: 'partial', complete: false })
})
