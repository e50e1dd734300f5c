import { useState } from 'react'
import { type ChannelKind, SaveChannelDocument } from '../api/generated/Channels.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { SecretField } from '../ui/secret-field.js'
import { useNamespace } from '../url/use-address.js'

const KINDS: readonly (readonly [kind: ChannelKind, meaning: string])[] = [
  ['WEBHOOK', 'signed webhook (Standard Webhooks)'],
  ['SLACK', 'Slack, Mattermost or Rocket.Chat'],
  ['EMAIL', 'e-mail to one address'],
  ['ALERTMANAGER', 'Prometheus Alertmanager']
]

/** Creates a channel and shows its secret once. */
export function NewChannel(): React.JSX.Element {
  const namespace = useNamespace()
  const [isOpen, setOpen] = useState(false)
  const { mutate, data, error, isPending, reset } = useSend(SaveChannelDocument, namespace)
  const close = (): void => {
    setOpen(false)
    reset()
  }
  const submit = (values: FormData): void =>
    mutate({
      input: {
        name: fieldValue(values, 'name').trim(),
        kind: fieldValue(values, 'kind') as ChannelKind,
        target: fieldValue(values, 'target').trim()
      }
    })
  const saved = data?.saveNotificationChannel
  return (
    <>
      <RoleButton needs="ADMIN" kind="primary" onClick={() => setOpen(true)}>
        New channel
      </RoleButton>
      {isOpen && (
        <Dialog label="New channel" onClose={close}>
          <h2>New channel</h2>
          {saved ? (
            <>
              {saved.secret && <SecretField label="Secret" value={saved.secret} kept="The service stores it encrypted." />}
              <Form submitLabel="Done" error={null} isSending={false} onSubmit={close}>
                <p>
                  {saved.secret
                    ? 'The receiver verifies signatures with this secret. It is shown this once.'
                    : 'The channel is stored. Test it from the list.'}
                </p>
              </Form>
            </>
          ) : (
            <Form submitLabel="Save" error={error} isSending={isPending} onSubmit={submit} onCancel={close}>
              <label className={forms.field}>
                Name
                <input name="name" required maxLength={128} autoComplete="off" />
              </label>
              <label className={forms.field}>
                Kind
                <select name="kind" defaultValue="WEBHOOK">
                  {KINDS.map(([kind, meaning]) => (
                    <option key={kind} value={kind}>
                      {meaning}
                    </option>
                  ))}
                </select>
              </label>
              <label className={forms.field}>
                URL or e-mail address
                <input name="target" required placeholder="https://hooks.example.com/alerts" autoComplete="off" />
              </label>
            </Form>
          )}
        </Dialog>
      )}
    </>
  )
}
