import { useState } from 'react'
import { type ApiKeyInput, type ApiKeyKind, CreateKeyDocument } from '../api/generated/Keys.js'
import { useApi } from '../api/context.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { useViewer } from '../app/use-viewer.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import { NewSecret } from './new-secret.js'

const KINDS: readonly (readonly [kind: ApiKeyKind, meaning: string])[] = [
  ['INGEST', 'writes telemetry'],
  ['QUERY', 'reads telemetry as a viewer'],
  ['RUM', 'writes page views from browsers; public']
]

/** Days until a key expires; 0 for never. */
const LIVES: readonly (readonly [days: number, name: string])[] = [
  [0, 'never'],
  [30, 'in 30 days'],
  [90, 'in 90 days'],
  [365, 'in 365 days']
]

const DAY_MS = 86_400_000

/** The input of a new key, from the values of the form. */
export function keyInput(values: FormData, nowMs: number): ApiKeyInput {
  const kind = fieldValue(values, 'kind') as ApiKeyKind
  const days = Number(fieldValue(values, 'expires'))
  const origins = fieldValue(values, 'origins').split(/\s+/).filter(Boolean)
  const namespaces = values.getAll('namespace').filter(value => typeof value === 'string')
  return {
    name: fieldValue(values, 'name').trim(),
    kind,
    ...(kind === 'RUM' ? { allowedOrigins: origins } : {}),
    ...(days > 0 ? { expiresAt: new Date(nowMs + days * DAY_MS).toISOString() } : {}),
    ...(kind !== 'RUM' && namespaces.length > 0 ? { namespaceIds: namespaces } : {})
  }
}

/** Creates an API key and shows its secret once. */
export function CreateKey(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const [input, setInput] = useState<ApiKeyInput | null>(null)
  const { mutate, data, error, isPending, reset } = useSend(CreateKeyDocument, namespace)
  const secret = data?.createApiKey.secret
  const close = (): void => {
    setOpen(false)
    setInput(null)
    reset()
  }
  const submit = (values: FormData): void => {
    const next = keyInput(values, api.nowMs())
    setInput(next)
    mutate({ input: next })
  }
  return (
    <>
      <RoleButton needs="ADMIN" onClick={() => setOpen(true)}>
        Create key
      </RoleButton>
      {isOpen && (
        <Dialog label="Create key" onClose={close}>
          <h2>Create key</h2>
          {secret == null || input === null ? (
            <Form submitLabel="Create" error={error} isSending={isPending} onSubmit={submit} onCancel={close}>
              <KeyFields />
            </Form>
          ) : (
            <NewSecret kind={input.kind} secret={secret} origin={input.allowedOrigins?.[0] ?? null} onClose={close} />
          )}
        </Dialog>
      )}
    </>
  )
}

function KeyFields(): React.JSX.Element {
  const { data } = useViewer(useNamespace())
  const [kind, setKind] = useState<ApiKeyKind>('INGEST')
  const own = data?.viewer.namespace?.id
  const administered = data?.viewer.memberships.filter(({ role }) => role === 'ADMIN') ?? []
  return (
    <>
      <label className={forms.field}>
        Name
        <input name="name" required maxLength={128} autoComplete="off" />
      </label>
      <label className={forms.field}>
        Kind
        <select name="kind" value={kind} onChange={event => setKind(event.currentTarget.value as ApiKeyKind)}>
          {KINDS.map(([value, meaning]) => (
            <option key={value} value={value}>
              {value}: {meaning}
            </option>
          ))}
        </select>
      </label>
      {kind === 'RUM' && (
        <label className={forms.field}>
          Allowed origins, one per line
          <textarea name="origins" rows={3} required placeholder="https://shop.example.com" spellCheck={false} />
        </label>
      )}
      {kind !== 'RUM' && administered.length > 1 && (
        <fieldset className={forms.group}>
          <legend>Namespaces</legend>
          {administered.map(({ namespace: { id, name } }) => (
            <label key={id} className={forms.choice}>
              <input type="checkbox" name="namespace" value={id} defaultChecked={id === own} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <label className={forms.field}>
        Expires
        <select name="expires" defaultValue="0">
          {LIVES.map(([days, name]) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
