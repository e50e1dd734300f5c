import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AlertRuleQuery, CreateAlertRuleDocument, UpdateAlertRuleDocument } from '../api/generated/AlertRule.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { Form } from '../ui/form.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { canEvaluate, inputOf, type RuleDraft } from './rule-draft.js'
import { RuleFields } from './rule-fields.js'
import { WouldHaveFired } from './would-have-fired.js'

type Rule = NonNullable<AlertRuleQuery['alertRule']>

/**
 * The form of a rule, next to what the rule would have done. The preview follows when a field is left, so that it does not
 * evaluate half an expression.
 */
export function RuleEditor(props: { readonly initial: RuleDraft; readonly stored: Rule | null }): React.JSX.Element {
  const { initial, stored } = props
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const refusal = useRoleRefusal('MEMBER')
  const [draft, setDraft] = useState(initial)
  const [previewed, setPreviewed] = useState(initial)
  const open = (id: string | undefined): void => {
    if (id !== undefined) {
      void navigate({ to: '/n/$namespace/alerts/$id', params: { namespace, id }, search: pageSearch(search), replace: true })
    }
  }
  const create = useSend(CreateAlertRuleDocument, namespace, ({ createAlertRule }) => open(createAlertRule.alertRule?.id))
  const update = useSend(UpdateAlertRuleDocument, namespace)
  const submit = (): void => {
    const input = inputOf(draft, stored)
    if (stored) update.mutate({ id: stored.id, version: stored.version, input })
    else create.mutate({ input })
  }
  return (
    <div className={styles.editor} onBlur={() => setPreviewed(draft)}>
      <Form
        submitLabel="Save"
        error={create.error ?? update.error}
        isSending={create.isPending || update.isPending}
        refusal={refusal}
        onSubmit={submit}
      >
        <RuleFields
          draft={draft}
          isDisabled={refusal !== null}
          onChange={changed => setDraft(current => ({ ...current, ...changed }))}
        />
      </Form>
      <WouldHaveFired rule={canEvaluate(previewed) ? inputOf(previewed, stored) : null} />
    </div>
  )
}
