import { useState } from 'react'
import { CreateInvitationDocument } from '../api/generated/Members.js'
import type { Role } from '../api/generated/Session.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { useNamespace } from '../url/use-address.js'
import { RoleSelect } from './role-select.js'
import { SecretField } from '../ui/secret-field.js'

/** The address that accepts an invitation. */
function invitationLink(token: string): string {
  return new URL(`invite?token=${encodeURIComponent(token)}`, document.baseURI).href
}

/** Creates an invitation and shows its link once. */
export function InviteMember(): React.JSX.Element {
  const namespace = useNamespace()
  const [isOpen, setOpen] = useState(false)
  const { mutate, data, error, isPending, reset } = useSend(CreateInvitationDocument, namespace)
  const token = data?.inviteMember.token
  const close = (): void => {
    setOpen(false)
    reset()
  }
  return (
    <>
      <RoleButton needs="ADMIN" onClick={() => setOpen(true)}>
        Invite member
      </RoleButton>
      {isOpen && (
        <Dialog label="Invite member" onClose={close}>
          <h2>Invite member</h2>
          {token == null ? (
            <Form
              submitLabel="Create invitation"
              error={error}
              isSending={isPending}
              onSubmit={values => mutate({ role: fieldValue(values, 'role') as Role })}
              onCancel={close}
            >
              <RoleSelect initial="MEMBER" />
              <p className={forms.hint}>The link is valid once and for 7 days. Anyone with the link joins with this role.</p>
            </Form>
          ) : (
            <>
              <SecretField label="Invitation link" value={invitationLink(token)} />
              <div className={forms.actions}>
                <Button kind="primary" onClick={close}>
                  Done
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
