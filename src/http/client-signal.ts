import type { FastifyReply } from 'fastify'

/** A signal that is aborted when the client goes away before it has the whole response. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (!reply.raw.writableFinished) gone.abort(new DOMException('the client closed the connection', 'AbortError'))
  }
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  return gone.signal
}
