import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangePasswordDocument } from '../api/generated/ChangePassword.js'
import { useSend } from '../api/use-send.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { useViewer } from '../app/use-viewer.js'
import { visibleText } from '../format/visible-text.js'
import { useSessionState } from '../session/context.js'
import { FactsTable } from '../tables/facts-table.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

const MIN_PASSWORD = 8
const MAX_PASSWORD = 256

/** The signed-in user: namespaces and password. */
export function Account(): React.JSX.Element {
  const state = useSessionState()
  const user = 'user' in state ? state.user : null
  return (
    <>
      <section aria-label="You" className={styles.section}>
        <h2>You</h2>
        <dl className={styles.facts}>
          <dt>E-mail</dt>
          <dd>{visibleText(user?.email ?? '')}</dd>
          <dt>Name</dt>
          <dd>{visibleText(user?.name ?? '–')}</dd>
        </dl>
      </section>
      <Memberships />
      <section aria-label="Password" className={styles.section}>
        <h2>Password</h2>
        <PasswordForm email={user?.email ?? ''} />
      </section>
    </>
  )
}

function Memberships(): React.JSX.Element | null {
  const format = useInstantFormat()
  const { data } = useViewer(useNamespace())
  if (!data) return null
  return (
    <section aria-label="Your namespaces" className={styles.section}>
      <h2>Your namespaces</h2>
      <div className={styles.wide}>
        <FactsTable
          label="Memberships"
          columns={[
            {
              header: 'Namespace',
              render: ({ namespace }) => (
                <Link to="/n/$namespace/logs" params={{ namespace: namespace.name }}>
                  {namespace.name}
                </Link>
              )
            },
            { header: 'Role', render: ({ role }) => role.toLowerCase() },
            { header: `Since (${format.zoneName})`, render: ({ since }) => format.full(since).slice(0, 16) }
          ]}
          rows={data.viewer.memberships}
          rowKey={({ namespace }) => namespace.id}
        />
      </div>
    </section>
  )
}

function PasswordForm({ email }: { readonly email: string }): React.JSX.Element {
  const [attempt, setAttempt] = useState(0)
  const [mismatch, setMismatch] = useState<Error | null>(null)
  const { mutate, error, isPending, isSuccess } = useSend(ChangePasswordDocument, useNamespace(), () => setAttempt(attempt + 1))
  const submit = (values: FormData): void => {
    const newPassword = fieldValue(values, 'new')
    const isSame = newPassword === fieldValue(values, 'repeated')
    setMismatch(isSame ? null : new Error('the new passwords differ'))
    if (isSame) mutate({ currentPassword: fieldValue(values, 'current'), newPassword })
  }
  const length = { required: true, minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD }
  return (
    <>
      {/* A new key empties the fields after a success. */}
      <Form key={attempt} submitLabel="Change password" error={mismatch ?? error} isSending={isPending} onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <label className={forms.field}>
          Current password
          <input name="current" type="password" autoComplete="current-password" required />
        </label>
        <label className={forms.field}>
          New password
          <input name="new" type="password" autoComplete="new-password" {...length} />
        </label>
        <label className={forms.field}>
          New password, again
          <input name="repeated" type="password" autoComplete="new-password" {...length} />
        </label>
        <p className={forms.hint}>
          {MIN_PASSWORD} to {MAX_PASSWORD} characters. Your other sessions end.
        </p>
      </Form>
      <p role="status">{isSuccess && mismatch === null ? 'Password changed. Your other sessions have ended.' : ''}</p>
    </>
  )
}
