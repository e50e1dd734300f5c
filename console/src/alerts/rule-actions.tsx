import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AlertRuleQuery, DeleteAlertRuleDocument, SetAlertRuleEnabledDocument } from '../api/generated/AlertRule.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { visibleText } from '../format/visible-text.js'
import { Dialog } from '../ui/dialog.js'
import { Form, FormError } from '../ui/form.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

type Rule = NonNullable<AlertRuleQuery['alertRule']>

/** Buttons that turn a rule off or on and delete it, for members. */
export function RuleActions({ rule }: { readonly rule: Rule }): React.JSX.Element {
  const { id, enabled } = rule
  const namespace = useNamespace()
  const [isDeleting, setDeleting] = useState(false)
  const { mutate, isPending, error } = useSend(SetAlertRuleEnabledDocument, namespace)
  return (
    <>
      <span className={styles.states}>
        <RoleButton needs="MEMBER" disabled={isPending} onClick={() => mutate({ id, enabled: !enabled })}>
          {enabled ? 'Turn off' : 'Turn on'}
        </RoleButton>
        <RoleButton needs="MEMBER" onClick={() => setDeleting(true)}>
          Delete
        </RoleButton>
      </span>
      <FormError error={error} />
      {isDeleting && <DeleteRule rule={rule} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const { mutate, error, isPending } = useSend(
    DeleteAlertRuleDocument,
    namespace,
    () => void navigate({ to: '/n/$namespace/alerts', params: { namespace }, search: pageSearch(search), replace: true })
  )
  return (
    <Dialog label="Delete rule" onClose={onClose}>
      <h2>Delete rule</h2>
      <Form submitLabel="Delete" error={error} isSending={isPending} onSubmit={() => mutate({ id: rule.id })} onCancel={onClose}>
        <p>Deleting {visibleText(rule.alert ?? 'the rule')} stops its evaluation and resolves its alerts. Its history is kept.</p>
      </Form>
    </Dialog>
  )
}
