import { double, fixed64, int, keyValue, message } from '../../test/support/protobuf.js'
import type { Random } from './random.js'

const SPAN_NS = 5_000_000n
const text = (value: string): Buffer => message(1, value)

function span(random: Random, timeNs: bigint): Buffer {
  const user = random.below(10_000)
  const failed = random.below(20) === 0
  const exception = [keyValue(3, 'exception.type', text('TimeoutError')), keyValue(3, 'exception.message', text(`user ${user}`))]
  return message(
    2,
    message(1, Buffer.from(random.hex(32), 'hex')),
    message(2, Buffer.from(random.hex(16), 'hex')),
    message(4, Buffer.from(random.hex(16), 'hex')),
    message(5, `GET /api/cart/${random.below(20)}`),
    int(6, 2),
    fixed64(7, timeNs),
    fixed64(8, timeNs + SPAN_NS),
    keyValue(9, 'http.request.method', text('GET')),
    keyValue(9, 'url.path', text(`/api/cart/${user}`)),
    keyValue(9, 'http.response.status_code', int(3, failed ? 504 : 200)),
    keyValue(9, 'server.address', text('cart.shop.svc')),
    keyValue(9, 'server.port', int(3, 8080)),
    keyValue(9, 'user.id', text(`user-${user}`)),
    keyValue(9, 'thread.name', text(`http-exec-${random.below(50)}`)),
    keyValue(9, 'network.peer.address', text(`10.1.2.${random.below(250)}`)),
    keyValue(9, 'queue.seconds', double(4, random.next())),
    ...(failed ? [message(11, fixed64(1, timeNs), message(2, 'exception'), ...exception)] : []),
    message(15, int(3, failed ? 2 : 0))
  )
}

/** An `ExportTraceServiceRequest` of one service with so many spans of ten attributes, about 350 bytes each. */
export function otlpSpans(random: Random, count: number, timeNs: bigint): Buffer {
  const resource = message(1, keyValue(1, 'service.name', text('cart')), keyValue(1, 'host.name', text('cart-1')))
  const scope = message(1, message(1, 'bench'), message(2, '1.0'))
  return message(1, resource, message(2, scope, ...Array.from({ length: count }, () => span(random, timeNs))))
}
