import { useState } from 'react'
import { type KeysQuery, RevokeKeyDocument, RotateKeyDocument } from '../api/generated/Keys.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { visibleText } from '../format/visible-text.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import { DetailCard } from './detail-card.js'
import { NewSecret } from './new-secret.js'
import styles from './page.module.css'

/** A key of the list. */
export type Key = NonNullable<KeysQuery['namespace']['apiKeys']>[number]

const OVERLAPS: readonly (readonly [duration: string, name: string])[] = [
  ['0s', 'ends at once'],
  ['1h', 'works for 1 hour'],
  ['1d', 'works for 1 day'],
  ['7d', 'works for 7 days'],
  ['30d', 'works for 30 days']
]

/** What a key is for, its rotation and its revocation. */
export function KeyDetail({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }): React.JSX.Element {
  const [isOpen, setOpen] = useState<'rotate' | 'revoke' | null>(null)
  const isValid = apiKey.state === 'ACTIVE' || apiKey.state === 'ROTATING'
  const origins = apiKey.allowedOrigins
  return (
    <DetailCard label="Key detail" title={visibleText(apiKey.name)} onClose={onClose}>
      <dl className={styles.facts}>
        <dt>Namespaces</dt>
        <dd>{apiKey.namespaces.map(({ name }) => name).join(', ')}</dd>
        {origins.length > 0 && <dt>Origins</dt>}
        {origins.length > 0 && <dd>{origins.map(visibleText).join(', ')}</dd>}
        <dt>Created by</dt>
        <dd>{visibleText(apiKey.createdBy?.email ?? 'the first start, or a former member')}</dd>
        <dt>State</dt>
        <dd>{apiKey.state === 'ROTATING' ? 'rotating: the previous secret is still valid' : apiKey.state.toLowerCase()}</dd>
      </dl>
      {isValid && (
        <div className={styles.row}>
          <RoleButton needs="ADMIN" onClick={() => setOpen('rotate')}>
            Rotate key
          </RoleButton>
          <RoleButton needs="ADMIN" onClick={() => setOpen('revoke')}>
            Revoke key
          </RoleButton>
        </div>
      )}
      {isOpen === 'rotate' && <RotateKey apiKey={apiKey} onClose={() => setOpen(null)} />}
      {isOpen === 'revoke' && <RevokeKey apiKey={apiKey} onClose={() => setOpen(null)} />}
    </DetailCard>
  )
}

interface KeyDialog {
  readonly apiKey: Key
  readonly onClose: () => void
}

function RotateKey({ apiKey, onClose }: KeyDialog): React.JSX.Element {
  const { mutate, data, error, isPending } = useSend(RotateKeyDocument, useNamespace())
  const secret = data?.rotateApiKey.secret
  return (
    <Dialog label="Rotate key" onClose={onClose}>
      <h2>Rotate key {visibleText(apiKey.name)}</h2>
      {secret == null ? (
        <Form
          submitLabel="Rotate"
          error={error}
          isSending={isPending}
          onSubmit={values => mutate({ id: apiKey.id, overlap: fieldValue(values, 'overlap') })}
          onCancel={onClose}
        >
          <label className={forms.field}>
            Previous secret
            <select name="overlap" defaultValue="1d">
              {OVERLAPS.map(([duration, name]) => (
                <option key={duration} value={duration}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <p className={forms.hint}>Give senders the new secret while both are valid.</p>
        </Form>
      ) : (
        <NewSecret kind={apiKey.kind} secret={secret} origin={apiKey.allowedOrigins[0] ?? null} onClose={onClose} />
      )}
    </Dialog>
  )
}

function RevokeKey({ apiKey, onClose }: KeyDialog): React.JSX.Element {
  const { mutate, error, isPending } = useSend(RevokeKeyDocument, useNamespace(), onClose)
  return (
    <Dialog label="Revoke key" onClose={onClose}>
      <h2>Revoke key {visibleText(apiKey.name)}</h2>
      <Form
        submitLabel="Revoke"
        error={error}
        isSending={isPending}
        onSubmit={() => mutate({ id: apiKey.id })}
        onCancel={onClose}
      >
        <p className={forms.warning}>Requests with this key fail at once. It cannot be undone.</p>
      </Form>
    </Dialog>
  )
}
