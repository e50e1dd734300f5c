import { useState } from 'react'
import { AlertRoutingDocument, type AlertRoutingQuery, SetAlertRoutingDocument } from '../api/generated/AlertRouting.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { ResultView } from '../ui/result-view.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { documentText, hasDefaultChannel, parseDocument } from './routing-document.js'

/** Which alerts go to which channels, as one document. */
export function Routes(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(AlertRoutingDocument, {}, { namespace })
  return (
    <section className={styles.section} aria-label="Routes" aria-busy={result.isFetching}>
      <ResultView result={result} what="routes">
        {data => <Editor key={data.alertRouting?.version ?? 0} routing={data} />}
      </ResultView>
    </section>
  )
}

function Editor({ routing }: { readonly routing: AlertRoutingQuery }): React.JSX.Element {
  const { alertRouting, notificationChannels } = routing
  const { version, document } = alertRouting ?? { version: 0, document: {} }
  const namespace = useNamespace()
  const refusal = useRoleRefusal('MEMBER')
  const [text, setText] = useState(() =>
    documentText(
      version,
      document,
      (notificationChannels ?? []).map(({ name }) => name)
    )
  )
  const [fault, setFault] = useState<Error | null>(null)
  const { mutate, error, isPending } = useSend(SetAlertRoutingDocument, namespace)
  const submit = (): void => {
    try {
      mutate({ version, document: parseDocument(text) })
      setFault(null)
    } catch (problem) {
      setFault(problem as Error)
    }
  }
  return (
    <>
      <p className={styles.muted} role="status">
        {version === 0
          ? 'No routing is stored: no one is notified. Save a document whose route names channels.'
          : hasDefaultChannel(document)
            ? `Version ${version}. Alerts that no other route takes go to the channels of the default route.`
            : `Version ${version}. The default route has no channel: alerts that no other route takes are sent to no one.`}
      </p>
      <Form submitLabel="Save" error={error} isSending={isPending} refusal={refusal} onSubmit={submit}>
        <label className={forms.field}>
          Routing document
          <textarea
            rows={20}
            value={text}
            disabled={refusal !== null}
            spellCheck={false}
            onChange={event => setText(event.currentTarget.value)}
          />
        </label>
        <FormError error={fault} />
      </Form>
    </>
  )
}
