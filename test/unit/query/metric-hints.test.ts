import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import { type FoundLine, metricHints } from '../../../src/query/metric-hints.js'
import type { LineAggregation } from '../../../src/query/metric-line.js'

const GRID = { startNs: 0n, stepNs: 10_000_000_000n, length: 2 }
const NAMES = ['http.server.requests', 'temp']

function line(
  metric: string,
  options: { by?: readonly string[]; aggregation?: LineAggregation; values?: readonly (number | null)[] }
) {
  const { by, aggregation = 'avg', values } = options
  const series = { ref: null, metric, type: 'gauge', labels: [{ name: 'host', value: 'a' }] } as const
  const found: FoundLine = {
    line: { metric, aggregation, ...(by && { by }) },
    series: values === undefined ? [] : [{ ...series, values }]
  }
  return found
}

const namesWith = async (text: string) => NAMES.filter(name => name.includes(text))
const hints = (found: FoundLine) => metricHints([found], GRID, namesWith)

describe('a chart', () => {
  it('reports that a metric is unknown, and which one is like it', async () => {
    expect(await hints(line('http_server_requests', {}))).toEqual([
      'no points of metric "http_server_requests" were received: did you mean http.server.requests?'
    ])
    expect(await hints(line('htp.server.requests', {}))).toEqual([expect.stringContaining('http.server.requests?')])
    expect(await hints(line('queue', {}))).toEqual(['no points of metric "queue" were received'])
  })

  it('reports that a known metric has no points', async () => {
    expect(await hints(line('temp', {}))).toEqual(['"temp" has no points with these labels in this window'])
  })

  it('reports that no series has a label to group by', async () => {
    expect(await hints(line('temp', { by: ['host', 'servce'], values: [1, null] }))).toEqual([
      'no series of "temp" has the label "servce"'
    ])
  })

  it('reports that a rate found no two samples within a step', async () => {
    expect(await hints(line('temp', { aggregation: 'rate', values: [null, null] }))).toEqual([
      'rate needs two samples within a step, and 10 s contain fewer; use a longer step'
    ])
    expect(await hints(line('temp', { aggregation: 'rate', values: [null, 0] }))).toEqual([])
  })

  it('reports that a known metric is known however many there are that begin and end alike', async () => {
    const cut = async (text: string) =>
      [...Array.from({ length: 1_000 }, (_, i) => `tem-${i}-emp`), 'temp'].filter(name => name.includes(text)).slice(0, 1_000)
    expect(await metricHints([line('temp', {})], GRID, cut)).toEqual(['"temp" has no points with these labels in this window'])
  })

  it('looks a metric of several lines up once, and for some metrics only', async () => {
    const requested: string[] = []
    const none = async (text: string) => {
      requested.push(text)
      return []
    }
    expect(
      await metricHints(
        Array.from({ length: 20 }, () => line('queue', {})),
        GRID,
        none
      )
    ).toEqual(['no points of metric "queue" were received'])
    expect(requested).toEqual(['queue', 'que', 'eue'])
    const lines = Array.from({ length: 20 }, (_, i) => line(`queue_${i}`, {}))
    expect(await metricHints(lines, GRID, none)).toHaveLength(5)
  })

  it('has no such hint when names cannot be requested', async () => {
    const down = async (): Promise<never> => Promise.reject(new GatewayError('store_unavailable', 'down'))
    const lines = [line('temp', {}), line('temp', { by: ['zone'], values: [1, 1] })]
    expect(await metricHints(lines, GRID, down)).toEqual(['no series of "temp" has the label "zone"'])
  })

  it('requests the names only when a line found nothing', async () => {
    const refused = async (): Promise<never> => Promise.reject(new Error('requested'))
    expect(await metricHints([line('temp', { values: [1, 1] })], GRID, refused)).toEqual([])
  })
})
