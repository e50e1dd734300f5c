import { randomBytes } from 'node:crypto'
import { fixed64, int, keyValue, message } from '../../test/support/protobuf.js'
import { Connection, requestHead, type Target } from '../load/connection.js'

const SPAN_NS = 5_000_000n
const BATCH = 4_000
const PATH = '/api/v1/otlp/v1/traces'

function spanOf(traceId: Buffer, root: Buffer, i: number, timeNs: bigint): Buffer {
  return message(
    2,
    message(1, traceId),
    message(2, i === 0 ? root : randomBytes(root.length)),
    ...(i === 0 ? [] : [message(4, root)]),
    message(5, `GET /api/cart/${i % 20}`),
    int(6, 2),
    fixed64(7, timeNs),
    fixed64(8, timeNs + SPAN_NS),
    keyValue(9, 'http.request.method', message(1, 'GET')),
    keyValue(9, 'url.path', message(1, `/api/cart/${i}`)),
    keyValue(9, 'user.id', message(1, `user-${i % 1_000}`))
  )
}

/** Writes one trace of so many spans. Returns its id. */
export async function writeTrace(target: Target, spans: number): Promise<string> {
  const [traceId, root] = [randomBytes(16), randomBytes(8)]
  const timeNs = BigInt(Date.now()) * 1_000_000n
  const resource = message(1, keyValue(1, 'service.name', message(1, 'cart')))
  const connection = new Connection(target)
  for (let from = 0; from < spans; from += BATCH) {
    const count = Math.min(BATCH, spans - from)
    const batch = Array.from({ length: count }, (_, i) => spanOf(traceId, root, from + i, timeNs))
    const body = message(1, resource, message(2, ...batch))
    const { status } = await connection.send(requestHead(target, PATH, body.length, 'application/x-protobuf'), body)
    if (status !== 200) throw new Error(`writing the trace: ${status}`)
  }
  connection.close()
  return traceId.toString('hex')
}
