import type { ApiKeyKind } from '../api/generated/Keys.js'
import { OtlpStatusDocument } from '../api/generated/OtlpStatus.js'
import { useRequest } from '../api/use-request.js'
import { Button } from '../ui/button.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import { keyCommand } from './key-command.js'
import { SecretField } from '../ui/secret-field.js'
import snippet from '../ui/snippet.module.css'

/** The secret of a new or rotated key, and a command that tries it. */
export function NewSecret(props: {
  readonly kind: ApiKeyKind
  readonly secret: string
  readonly origin: string | null
  readonly onClose: () => void
}): React.JSX.Element {
  const { kind, secret, origin, onClose } = props
  const namespace = useNamespace()
  const { data } = useRequest(OtlpStatusDocument, {}, { namespace })
  const otlpUrl = data?.otlpStatus?.endpoints.find(({ protocol }) => protocol === 'http/json')?.url ?? null
  const command = keyCommand(kind, secret, { apiUrl: document.baseURI.replace(/\/$/, ''), otlpUrl, origin })
  return (
    <>
      <SecretField label="Secret" value={secret} />
      <section aria-label="Try it">
        <h3>Try it</h3>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, also by keyboard */}
        <pre className={snippet.text} tabIndex={0} aria-label="Command that tries the key">
          {command}
        </pre>
      </section>
      <div className={forms.actions}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
