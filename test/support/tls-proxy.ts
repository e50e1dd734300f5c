import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { ServerIdentity } from './certificates.js'

/** A server that speaks TLS and hands everything on to one that does not. */
export interface TlsProxy {
  readonly port: number
  close(): Promise<void>
}

/** What the server receives instead of the `Authorization` that came. */
export type Translate = (authorization: string | undefined) => string | undefined

/** Listens on 127.0.0.1 in front of the server at `url`. */
export async function openTlsProxy(
  identity: ServerIdentity,
  url: string,
  translate: Translate = given => given
): Promise<TlsProxy> {
  const { hostname, port } = new URL(url)
  const server = createServer(identity, (incoming, outgoing) => {
    const { method, url: path } = incoming
    const { authorization: given, ...rest } = incoming.headers
    const authorization = translate(given)
    const headers = authorization === undefined ? rest : { ...rest, authorization }
    const onward = request({ hostname, port, method, path, headers }, response => {
      outgoing.writeHead(response.statusCode!, response.headers)
      pipeline(response, outgoing, () => undefined)
    })
    pipeline(incoming, onward, error => error && outgoing.destroy())
  })
  // Clients that refuse the certificate end the handshake.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}
