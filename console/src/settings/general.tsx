import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  AddNamespaceDocument,
  DeleteNamespaceDocument,
  NamespaceFactsDocument,
  type NamespaceFactsQuery
} from '../api/generated/Namespaces.js'
import type { Role } from '../api/generated/Session.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { ROLE_MEANING } from '../app/role.js'
import { RoleButton } from '../app/role-button.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { useViewer } from '../app/use-viewer.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { ResultView } from '../ui/result-view.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

const ROLES: readonly Role[] = ['VIEWER', 'MEMBER', 'ADMIN']

/** The namespace, the caller's role in it, and its creation and deletion. */
export function General(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(NamespaceFactsDocument, {}, { namespace })
  return (
    <ResultView result={result} what="the namespace">
      {data => <Facts facts={data.namespace} />}
    </ResultView>
  )
}

function Facts({ facts }: { readonly facts: NamespaceFactsQuery['namespace'] }): React.JSX.Element {
  const format = useInstantFormat()
  const admins = facts.members.nodes.filter(({ role }) => role === 'ADMIN').map(({ user }) => user.email)
  return (
    <>
      <section aria-label="Namespace" className={styles.section}>
        <h2>Namespace</h2>
        <dl className={styles.facts}>
          <dt>Name</dt>
          <dd>{facts.name}</dd>
          <dt>Id</dt>
          <dd>
            <code>{facts.id}</code>
          </dd>
          <dt>Kind</dt>
          <dd>{facts.personal ? 'personal: created with an account, for that user alone' : 'team'}</dd>
          <dt>Created</dt>
          <dd>
            <time dateTime={facts.createdAt}>{format.full(facts.createdAt).slice(0, 19)}</time> {format.zoneName}
          </dd>
        </dl>
      </section>
      <YourRole admins={admins} />
      <section aria-label="Other namespaces" className={styles.section}>
        <h2>Other namespaces</h2>
        <p className={styles.hint}>A namespace has telemetry, members and keys of its own. You become its admin.</p>
        <CreateNamespace />
      </section>
      <section aria-label="Delete this namespace" className={styles.section}>
        <h2>Delete this namespace</h2>
        <p className={styles.hint}>
          All its logs, traces, metrics, page views and errors are removed, its keys end, and its name stays reserved.
        </p>
        <DeleteNamespace id={facts.id} name={facts.name} />
      </section>
    </>
  )
}

function YourRole({ admins }: { readonly admins: readonly string[] }): React.JSX.Element {
  const { data } = useViewer(useNamespace())
  const role = data?.viewer.role ?? null
  return (
    <section aria-label="Your role" className={styles.section}>
      <h2>Your role: {role === null ? 'none' : role.toLowerCase()}</h2>
      <dl className={styles.facts}>
        {ROLES.map(one => (
          <div key={one} style={{ display: 'contents' }}>
            <dt>{one.toLowerCase()}</dt>
            <dd aria-current={one === role || undefined}>
              {ROLE_MEANING[one]}
              {one === role && ' – yours'}
            </dd>
          </div>
        ))}
      </dl>
      {role !== 'ADMIN' && admins.length > 0 && (
        <p className={styles.hint}>Admins of this namespace can change it: {admins.map(visibleText).join(', ')}.</p>
      )}
    </section>
  )
}

function CreateNamespace(): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const { mutate, error, isPending, reset } = useSend(AddNamespaceDocument, namespace, ({ createNamespace }) => {
    const name = createNamespace.namespace!.name
    void navigate({ to: '/n/$namespace/settings/$section', params: { namespace: name, section: 'keys' } })
  })
  const close = (): void => {
    setOpen(false)
    reset()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Create namespace</Button>
      {isOpen && (
        <Dialog label="Create namespace" onClose={close}>
          <h2>Create namespace</h2>
          <Form
            submitLabel="Create"
            error={error}
            isSending={isPending}
            onSubmit={values => mutate({ name: fieldValue(values, 'name') })}
            onCancel={close}
          >
            <label className={forms.field}>
              Name
              <input name="name" required maxLength={63} autoComplete="off" spellCheck={false} />
            </label>
            <p className={forms.hint}>
              1 to 63 characters of a-z, 0-9 and -, the first not a hyphen. It cannot be changed later.
            </p>
          </Form>
        </Dialog>
      )}
    </>
  )
}

function DeleteNamespace({ id, name }: { readonly id: string; readonly name: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { data } = useViewer(namespace)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const other = data?.viewer.memberships.find(membership => membership.namespace.id !== id)?.namespace.name
  const { mutate, error, isPending, reset } = useSend(DeleteNamespaceDocument, namespace, () => {
    if (other === undefined) void navigate({ to: '/' })
    else void navigate({ to: '/n/$namespace/logs', params: { namespace: other } })
  })
  const close = (): void => {
    setOpen(false)
    reset()
  }
  return (
    <>
      <RoleButton needs="ADMIN" onClick={() => setOpen(true)}>
        Delete namespace
      </RoleButton>
      {isOpen && (
        <Dialog label="Delete namespace" onClose={close}>
          <h2>Delete namespace {name}</h2>
          <Form
            submitLabel="Delete"
            error={error}
            isSending={isPending}
            onSubmit={values => mutate({ id, confirmName: fieldValue(values, 'name') })}
            onCancel={close}
          >
            <p className={forms.warning}>This deletes everything in the namespace and cannot be undone.</p>
            <label className={forms.field}>
              Name of the namespace
              <input name="name" required autoComplete="off" spellCheck={false} placeholder={name} />
            </label>
          </Form>
        </Dialog>
      )}
    </>
  )
}
