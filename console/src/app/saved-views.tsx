import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  DeleteViewDocument,
  SavedViewsDocument,
  type SavedViewsQuery,
  SaveViewDocument,
  type Signal
} from '../api/generated/SavedViews.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.js'
import { Failed, Loading } from '../ui/states.js'
import { searchOf, signalOfPath, stateOf } from '../url/saved-state.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useRoleRefusal } from './role.js'

type View = NonNullable<SavedViewsQuery['savedViews']>[number]

const MAX_NAME_CHARACTERS = 128

/** Views of the page that members of the namespace saved: opens, adds and deletes them. */
export function SavedViews(): React.JSX.Element | null {
  const signal = useLocation({ select: ({ pathname }) => signalOfPath(pathname) })
  return signal && <Views signal={signal} />
}

function Views({ signal }: { readonly signal: Signal }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState<'save' | 'manage' | null>(null)
  const [isOpened, setOpened] = useState(false)
  const { data, error, refetch } = useRequest(SavedViewsDocument, { signal }, { namespace, enabled: isOpened })
  const views = data?.savedViews ?? []
  const open = ({ state }: View): void => void navigate({ to: '.', search: () => searchOf(state) })
  const close = (): void => setOpen(null)
  return (
    <>
      <Menu label="Views" onOpen={() => setOpened(true)}>
        {error ? <MenuLabel>The views could not be read.</MenuLabel> : !data && <MenuLabel>Loading…</MenuLabel>}
        {data && views.length === 0 && <MenuLabel>No saved views of this page</MenuLabel>}
        {views.map(view => (
          <MenuItem key={view.id} onSelect={() => open(view)}>
            {visibleText(view.name ?? '')}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setOpen('save')}>Save this view…</MenuItem>
        {views.length > 0 && <MenuItem onSelect={() => setOpen('manage')}>Delete views…</MenuItem>}
      </Menu>
      {isOpen === 'save' && <SaveView signal={signal} onClose={close} />}
      {isOpen === 'manage' && (
        <Dialog label="Delete views" onClose={close}>
          <h2>Delete views</h2>
          {error ? <Failed error={error} onRetry={() => void refetch()} /> : !data && <Loading what="views" />}
          <ViewList views={views} />
          <Button onClick={close}>Close</Button>
        </Dialog>
      )}
    </>
  )
}

function SaveView({ signal, onClose }: { readonly signal: Signal; readonly onClose: () => void }): React.JSX.Element {
  const { search } = useAddress()
  const refusal = useRoleRefusal('MEMBER')
  const { mutate, error, isPending } = useSend(SaveViewDocument, useNamespace(), onClose)
  return (
    <Dialog label="Save this view" onClose={onClose}>
      <h2>Save this view</h2>
      <p>All members of the namespace see it. It has the query, the window, the filters and the columns of the page.</p>
      <Form
        submitLabel="Save"
        error={error}
        isSending={isPending}
        refusal={refusal}
        onSubmit={values => mutate({ input: { name: fieldValue(values, 'name'), signal, state: stateOf(search) } })}
        onCancel={onClose}
      >
        <label className={forms.field}>
          Name
          <input name="name" required maxLength={MAX_NAME_CHARACTERS} autoComplete="off" />
        </label>
      </Form>
    </Dialog>
  )
}

function ViewList({ views }: { readonly views: readonly View[] }): React.JSX.Element {
  const refusal = useRoleRefusal('MEMBER')
  const { mutate, error, isPending } = useSend(DeleteViewDocument, useNamespace())
  return (
    <>
      <FormError error={error} />
      {refusal !== null && <p className={forms.hint}>{refusal}</p>}
      <ul aria-label="Saved views">
        {views.map(({ id, name }) => (
          <li key={id} className={forms.choice}>
            <Button
              aria-label={`Delete ${visibleText(name ?? '')}`}
              disabled={isPending || refusal !== null}
              onClick={() => mutate({ id })}
            >
              Delete
            </Button>
            {visibleText(name ?? '')}
          </li>
        ))}
      </ul>
    </>
  )
}
