import { describe, expect, it } from '@jest/globals'
import {
  CUMULATIVE,
  DELTA,
  type OtlpExponentialPoint,
  type OtlpHistogramPoint,
  type OtlpMetric,
  type OtlpNumberPoint
} from '../../../src/otlp/model.js'
import { decodeHistogram } from '../../../src/domain/native-histogram/encode.js'
import { labelName, metricName } from '../../../src/otlp/prometheus/names.js'
import { toSamples, UnusablePoint } from '../../../src/otlp/prometheus/series.js'

const RESOURCE = { 'service.name': 'checkout', 'service.namespace': 'shop', 'service.instance.id': 'i-1', 'host.name': 'node-a' }
const METRIC: OtlpMetric = {
  scope: { resource: { attributes: RESOURCE, schemaUrl: '' }, name: '', version: '', attributes: {} },
  name: 'http.server.request.duration',
  description: '',
  unit: 's'
}
const POINT = { metric: METRIC, attributes: { 'http.route': '/cart' }, startTimeNs: 0n, timeNs: 1n, flags: 0 }
const LABELS = { service: 'checkout', host: 'node-a', job: 'shop/checkout', instance: 'i-1', http_route: '/cart' }

function lines(point: Parameters<typeof toSamples>[0]): string[] {
  return toSamples(point).map(({ name, labels, value }) => {
    const own = labels.filter(label => !(label.name in LABELS)).map(label => `${label.name}=${label.value}`)
    return `${name}{${own.join(',')}} ${value}`
  })
}

// The cases of OpenTelemetry's page on Prometheus compatibility and of the Collector's translator.
describe('a name in Prometheus', () => {
  it.each<[string, string, 'counter' | 'gauge' | 'other', string]>([
    ['system.cpu.time', 's', 'counter', 'system_cpu_time_seconds_total'],
    ['http.server.request.duration', 's', 'other', 'http_server_request_duration_seconds'],
    ['system.io', 'By', 'counter', 'system_io_bytes_total'],
    ['requests.total', '1', 'counter', 'requests_total'],
    ['requests', '{request}', 'counter', 'requests_total'],
    ['cpu.utilization', '1', 'gauge', 'cpu_utilization_ratio'],
    ['disk.used', '%', 'gauge', 'disk_used_percent'],
    ['net.speed', 'By/s', 'gauge', 'net_speed_bytes_per_second'],
    ['memory_bytes', 'By', 'gauge', 'memory_bytes'],
    ['a..b--c', '', 'gauge', 'a_b_c'],
    ['2xx', '', 'other', '_2xx']
  ])('%s in %s as a %s is %s', (name, unit, kind, expected) => {
    expect(metricName({ name, unit, isCounter: kind === 'counter', isGauge: kind === 'gauge' })).toBe(expected)
  })

  it.each([
    ['http.status_code', 'http_status_code'],
    ['9lives', 'key_9lives'],
    ['_private', 'key_private'],
    ['ünïcode', 'key_n_code']
  ])('of the attribute %s is %s', (attribute, expected) => {
    expect(labelName(attribute)).toBe(expected)
  })
})

describe('a data point', () => {
  const number: OtlpNumberPoint = { ...POINT, kind: 'sum', temporality: CUMULATIVE, isMonotonic: true, value: 3 }

  it('has the labels of its attributes, its service and its instance', () => {
    const [sample] = toSamples(number)
    expect(Object.fromEntries(sample!.labels.map(label => [label.name, label.value]))).toEqual(LABELS)
  })

  it('of a container has the labels that distinguish it from others', () => {
    const of = (name: string, attributes: Readonly<Record<string, string>>): unknown => {
      const resource = { attributes: { ...RESOURCE, ...attributes }, schemaUrl: '' }
      const metric = { ...METRIC, name, scope: { ...METRIC.scope, resource } }
      const [sample] = toSamples({ ...number, metric, attributes: { direction: 'receive' } })
      return Object.fromEntries(sample!.labels.filter(label => !(label.name in LABELS)).map(label => [label.name, label.value]))
    }
    const docker = { 'container.name': 'db', 'container.image.name': 'postgres', 'container.runtime': 'docker' }
    const labels = { direction: 'receive', container: 'db', image: 'postgres', runtime: 'docker' }
    expect(of('container.network.io', docker)).toEqual(labels)
    expect(of('container.cpu.time', { 'k8s.container.name': 'web', 'k8s.pod.name': 'web-0' })).toEqual({
      ...{ direction: 'receive', container: 'web', pod: 'web-0' }
    })
    expect(of('system.network.io', docker)).toEqual({ direction: 'receive' })
    const own = { ...number, metric: { ...METRIC, name: 'container.x' }, attributes: { container: 'mine' } }
    expect(toSamples(own)[0]!.labels).toContainEqual({ name: 'container', value: 'mine' })
  })

  it('of a monotonic sum is a counter, of another sum a gauge', () => {
    expect(toSamples(number)[0]).toMatchObject({ type: 'counter', isDelta: false })
    expect(toSamples({ ...number, isMonotonic: false, temporality: DELTA })[0]).toMatchObject({ type: 'gauge', isDelta: true })
  })

  it('of a sum without temporality is refused', () => {
    expect(() => toSamples({ ...number, temporality: 0 })).toThrow(UnusablePoint)
  })

  it('joins the values of attributes whose names become one', () => {
    const [sample] = toSamples({ ...number, attributes: { 'a.b': 'x', a_b: 'y' } })
    expect(sample!.labels.find(label => label.name === 'a_b')?.value).toBe('x;y')
  })

  it('of a histogram is its buckets added up, its count and its sum', () => {
    const point: OtlpHistogramPoint = {
      ...POINT,
      kind: 'histogram',
      temporality: CUMULATIVE,
      count: 6,
      sum: 12.5,
      bounds: [0.5, 1],
      bucketCounts: [1, 2, 3]
    }
    const name = 'http_server_request_duration_seconds'
    expect(lines(point)).toEqual([
      `${name}_bucket{le=0.5} 1`,
      `${name}_bucket{le=1} 3`,
      `${name}_bucket{le=+Inf} 6`,
      `${name}_count{} 6`,
      `${name}_sum{} 12.5`
    ])
    expect(() => toSamples({ ...point, bucketCounts: [1] })).toThrow(UnusablePoint)
  })

  it('of an exponential histogram of delta temporality is its own bounds', () => {
    const point: OtlpExponentialPoint = {
      ...POINT,
      kind: 'exponential',
      temporality: DELTA,
      count: 10,
      sum: null,
      scale: 0,
      zeroCount: 1,
      zeroThreshold: 0,
      positive: { offset: 0, counts: [2, 3] },
      negative: { offset: 1, counts: [4] }
    }
    const name = 'http_server_request_duration_seconds'
    // base 2: positive (1,2] and (2,4], negative [-4,-2).
    expect(lines(point)).toEqual([
      `${name}_bucket{le=-4} 0`,
      `${name}_bucket{le=-2} 4`,
      `${name}_bucket{le=1} 5`,
      `${name}_bucket{le=2} 7`,
      `${name}_bucket{le=4} 10`,
      `${name}_bucket{le=+Inf} 10`,
      `${name}_count{} 10`
    ])
  })

  it('of a fine one keeps every observation when its buckets are merged', () => {
    const counts = Array.from({ length: 160 }, (_, i) => i)
    const point: OtlpExponentialPoint = {
      ...POINT,
      kind: 'exponential',
      temporality: DELTA,
      count: 12_720,
      sum: null,
      scale: 5,
      zeroCount: 0,
      zeroThreshold: 0,
      positive: { offset: -80, counts },
      negative: { offset: 0, counts: [] }
    }
    const buckets = toSamples(point).filter(({ name }) => name.endsWith('_bucket'))
    expect(buckets.length).toBeLessThanOrEqual(42)
    // 2^(k/8): every fourth bound of scale 5 is one of scale 3.
    const le = (bound: number): number | undefined => buckets.find(({ labels }) => labels.at(-1)!.value === String(bound))?.value
    expect(le(1)).toBe(counts.slice(0, 80).reduce((a, b) => a + b, 0))
    expect(le(2)).toBe(counts.slice(0, 112).reduce((a, b) => a + b, 0))
  })

  const CUMULATIVE_POINT: OtlpExponentialPoint = {
    ...POINT,
    kind: 'exponential',
    temporality: CUMULATIVE,
    count: 16,
    sum: 2.5,
    scale: 10,
    zeroCount: 1,
    zeroThreshold: 0,
    positive: { offset: -1, counts: [1, 2, 0, 3, 4, 5] },
    negative: { offset: 0, counts: [] }
  }

  it('of a cumulative exponential histogram is a native one, merged down to the finest schema', () => {
    const [sample, ...others] = toSamples(CUMULATIVE_POINT)
    expect([others, sample!.name, sample!.type, sample!.isDelta]).toEqual([
      [],
      'http_server_request_duration_seconds',
      'counter',
      false
    ])
    const histogram = decodeHistogram(sample!.histogram!)
    expect(histogram).toMatchObject({ schema: 8, count: 16, sum: 2.5, zeroCount: 1, zeroThreshold: 1e-128, hint: 'unknown' })
    // OTLP's bucket -1 of scale 10 is in bucket -1 of scale 8, which is Prometheus's 0; 0 to 3 are in 1, 4 in 2.
    expect([[...histogram.positive.indexes], [...histogram.positive.counts]]).toEqual([
      [0, 1, 2],
      [1, 9, 5]
    ])
  })

  it('keeps bounds that both have', () => {
    const [sample] = toSamples({ ...CUMULATIVE_POINT, scale: 0, zeroThreshold: 0.25, negative: { offset: 1, counts: [4] } })
    const histogram = decodeHistogram(sample!.histogram!)
    expect([...histogram.positive.indexes]).toEqual([0, 1, 3, 4, 5])
    expect([...histogram.negative.indexes]).toEqual([2])
    expect(histogram.zeroThreshold).toBe(0.25)
  })

  it('takes the scale that SDKs begin with, however far from one the observation is', () => {
    // Of 0.2 and of the least double: the indexes are floor(log2(x) * 2^20).
    for (const [offset, index] of [
      [-2_434_719, -594],
      [-1_126_170_625, -274_944]
    ] as const) {
      const [sample] = toSamples({ ...CUMULATIVE_POINT, count: 1, scale: 20, zeroCount: 0, positive: { offset, counts: [1] } })
      expect([...decodeHistogram(sample!.histogram!).positive.indexes]).toEqual([index])
    }
  })

  it.each([
    ['a scale that is too coarse', { scale: -5 }],
    ['more buckets than are kept', { positive: { offset: 0, counts: Array.from({ length: 2_001 }, () => 1) } }]
  ])('refuses %s', (_, wrong) => {
    expect(() => toSamples({ ...CUMULATIVE_POINT, ...wrong })).toThrow(UnusablePoint)
  })
})
