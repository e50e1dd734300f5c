import { useEffect, useState } from 'react'
import { useApi } from '../api/context.js'
import { Snippet } from '../ui/snippet.js'
import { Empty, Failed } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import { useRefresh, useRefreshEvery } from '../url/use-refresh.js'
import { RoleButton } from './role-button.js'

/** What a page shows, and therefore how to send it. */
export type SendableSignal = 'logs' | 'traces' | 'metrics' | 'rum' | 'errors'

const NAMES: Readonly<Record<SendableSignal, string>> = {
  logs: 'logs',
  traces: 'traces',
  metrics: 'metrics',
  rum: 'page views',
  errors: 'errors'
}
const CHECK_MS = 3_000
const KEY_PLACEHOLDER = '$INGEST_KEY'

function example(signal: SendableSignal, base: string, key: string): string {
  const post = (path: string, json: string): string =>
    `curl '${new URL(path, base).href}' -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${json}'`
  if (signal === 'logs') return post('api/v1/logs', '{"message":"hello","service":"first-steps","level":"info"}')
  if (signal === 'metrics') return post('api/v1/ingest', '{"name":"first.steps","value":1,"labels":{"host":"here"}}')
  if (signal === 'rum') return post('api/v1/apm/rum', '{"page_url":"https://example.com/","largest_contentful_paint_ms":1200}')
  if (signal === 'errors') return post('api/v1/apm/errors', '{"service":"first-steps","type":"Example","message":"it failed"}')
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT='${new URL('api/v1/otlp', base).href}'`,
    `export OTEL_EXPORTER_OTLP_HEADERS='x-api-key=${key}'`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf'
  ].join('\n')
}

/** How to send the first records of a page, with the real address; ends by itself when one arrives. */
export function SendFirst({ signal }: { readonly signal: SendableSignal }): React.JSX.Element {
  const refresh = useRefresh()
  const [key, setKey] = useState<string | null>(null)
  useRefreshEvery(CHECK_MS, refresh)
  // The first record may arrive between two requests of the page: it ends the wait, but the rows are from before it.
  useEffect(() => () => void refresh(), [refresh])
  return (
    <Empty title={`No ${NAMES[signal]} are stored in this namespace yet`}>
      <p>Send the first ones:</p>
      <Snippet title="Command" text={example(signal, document.baseURI, key ?? KEY_PLACEHOLDER)} />
      {key === null ? <CreateKey onCreated={setKey} /> : <p>The command has a new ingest key. It is shown only here, once.</p>}
      <p>Or start the demo next to the service, which sends an hour of a small shop:</p>
      <Snippet title="Demo" text="npm run demo" />
      <p role="status">Waiting for the first {NAMES[signal]}…</p>
    </Empty>
  )
}

function CreateKey({ onCreated }: { readonly onCreated: (secret: string) => void }): React.JSX.Element {
  const api = useApi()
  const namespace = useNamespace()
  const [error, setError] = useState<unknown>(null)
  const create = async (): Promise<void> => {
    setError(null)
    try {
      const json = { name: 'first steps', kind: 'ingest' }
      const created = (await api.rest('api/v1/keys', { namespace, method: 'POST', json })) as { readonly key: string }
      onCreated(created.key)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <RoleButton needs="ADMIN" onClick={() => void create()}>
        Create an ingest key
      </RoleButton>
      {error !== null && <Failed error={error} onRetry={() => void create()} />}
    </>
  )
}
