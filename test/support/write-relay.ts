import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import snappy from 'snappyjs'

/** One write that was passed on, and the response of the service. */
export interface RelayedWrite {
  readonly status: number
  readonly text: string
  readonly samples: number
  readonly exemplars: number
  /** Metadata comes alone: neither samples nor exemplars. */
  readonly isMetadata: boolean
  /** Whether names, labels, values of labels or help of the write have these characters. Its body must be snappy. */
  readonly has: (characters: string) => boolean
}

/** A relay between a sender and the service, so that a test knows what was written without polling. */
export interface WriteRelay {
  readonly url: string
  /** The first response that is as expected, past or to come; the first refusal otherwise. */
  first(isRequested: (write: RelayedWrite) => boolean): Promise<RelayedWrite>
  close(): Promise<void>
}

interface Waiting {
  readonly isRequested: (write: RelayedWrite) => boolean
  readonly resolve: (write: RelayedWrite) => void
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Passes remote writes on to `target`, headers and bytes as they are. */
export async function openWriteRelay(target: string): Promise<WriteRelay> {
  const seen: RelayedWrite[] = []
  let waiting: readonly Waiting[] = []
  const notify = (write: RelayedWrite): void => {
    seen.push(write)
    const isOver = ({ isRequested }: Waiting): boolean => write.status >= 400 || isRequested(write)
    for (const one of waiting) if (isOver(one)) one.resolve(write)
    waiting = waiting.filter(one => !isOver(one))
  }
  const server = createServer((request, response) => {
    void (async () => {
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
      const body = await bodyOf(request)
      const result = await fetch(target, { method: 'POST', headers: headers as Record<string, string>, body })
      const text = await result.text()
      response.writeHead(result.status, Object.fromEntries(result.headers)).end(text)
      const count = (what: string): number => Number(result.headers.get(`x-prometheus-remote-write-${what}-written`) ?? 0)
      const [samples, exemplars] = [count('samples'), count('exemplars')]
      notify({
        status: result.status,
        text,
        samples,
        exemplars,
        isMetadata: result.status === 204 && samples + exemplars === 0,
        has: characters => snappy.uncompress(Buffer.from(body)).includes(characters)
      })
    })()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/write`,
    first: isRequested =>
      new Promise(resolve => {
        const past = seen.find(write => write.status >= 400 || isRequested(write))
        if (past) resolve(past)
        else waiting = [...waiting, { isRequested, resolve }]
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}
