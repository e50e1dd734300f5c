import { double, int, message } from './protobuf.js'

/** A `prometheus.WriteRequest` of one series; labels in the order in which they are given. */
export function writeRequest(
  labels: Readonly<Record<string, string>>,
  ...samples: readonly (readonly [timeMs: number, value: number | Buffer])[]
): Buffer {
  const pairs = Object.entries(labels).map(([name, value]) => message(1, message(1, name), message(2, value)))
  const points = samples.map(([timeMs, value]) => {
    return message(2, typeof value === 'number' ? double(1, value) : value, int(2, BigInt(timeMs)))
  })
  return message(1, ...pairs, ...points)
}

/** An `io.prometheus.write.v2.Request` of one series of a counter. */
export function writeRequestV2(
  labels: Readonly<Record<string, string>>,
  ...samples: readonly (readonly [timeMs: number, value: number])[]
): Buffer {
  const symbols = ['', ...Object.entries(labels).flat()]
  const references = Buffer.from(symbols.slice(1).map((_, i) => i + 1))
  const points = samples.map(([timeMs, value]) => message(2, double(1, value), int(2, BigInt(timeMs))))
  const series = message(5, message(1, references), ...points, message(5, int(1, 1)))
  return Buffer.concat([...symbols.map(symbol => message(4, symbol)), series])
}

/** The field `value` of a sample with the bits of Prometheus's stale marker. */
export const STALE_VALUE = Buffer.concat([Buffer.from([0x09]), Buffer.from('020000000000f07f', 'hex')])

/** A snappy block of literals only: what any decoder must take. */
export function snappyBlock(bytes: Buffer): Buffer {
  const length: number[] = []
  let rest = bytes.length
  while (rest > 0x7f) {
    length.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  const parts: Buffer[] = [Buffer.from([...length, rest])]
  for (let i = 0; i < bytes.length; i += 65_536) {
    const chunk = bytes.subarray(i, i + 65_536)
    const size = chunk.length - 1
    parts.push(Buffer.from([61 << 2, size & 0xff, size >> 8]), chunk)
  }
  return Buffer.concat(parts)
}
