import { useState } from 'react'
import {
  PatternVariablesDocument,
  type PatternVariablesQuery,
  RecordPatternDocument,
  type RecordPatternQuery,
  UpdatePatternDocument
} from '../api/generated/RecordPattern.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { RoleButton } from '../app/role-button.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatCount, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { withCondition } from '../query/with-condition.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { ResultView } from '../ui/result-view.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './log-detail.module.css'

type Pattern = NonNullable<RecordPatternQuery['logPattern']>
type Variable = NonNullable<PatternVariablesQuery['logPattern']>['variables'][number]

const MAX_NOTE_CHARACTERS = 4_096

/** The pattern of a record over the whole retention: what it is, its note, and whether it is muted. */
export function RecordPattern({ id }: { readonly id: string }): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(RecordPatternDocument, { id }, { namespace })
  return (
    <ResultView result={result} what="the pattern">
      {({ logPattern }) => (logPattern ? <Found pattern={logPattern} /> : <p className={styles.line}>It is not stored.</p>)}
    </ResultView>
  )
}

function Found({ pattern }: { readonly pattern: Pattern }): React.JSX.Element {
  const format = useInstantFormat()
  const { search, change } = useAddress()
  const { id, template, count, firstSeen, state, muted, note } = pattern
  const filter = (isExcluded: boolean): void =>
    change({ q: withCondition(one(search, 'q') ?? '', 'pattern', id, isExcluded), view: null })
  const facts = [
    `${plural(count, 'log')} stored`,
    state.toLowerCase(),
    ...(muted ? ['muted'] : []),
    ...(firstSeen == null ? [] : [`first seen ${format.full(firstSeen)} ${format.zoneName}`])
  ]
  return (
    <>
      <div className={styles.message}>
        <pre>{visibleText(template)}</pre>
      </div>
      <p className={styles.line}>{facts.join(', ')}</p>
      {note != null && <p className={styles.line}>{visibleText(note)}</p>}
      <p className={styles.line}>
        <Button onClick={() => filter(false)}>Filter for this pattern</Button>{' '}
        <Button onClick={() => filter(true)}>Filter out this pattern</Button>
      </p>
      <Decisions pattern={pattern} />
      <Variables id={id} />
    </>
  )
}

/** Buttons for what members decide about a pattern. */
function Decisions({ pattern: { id, note, muted } }: { readonly pattern: Pattern }): React.JSX.Element {
  const [isEditing, setEditing] = useState(false)
  const { mutate, error, isPending } = useSend(UpdatePatternDocument, useNamespace())
  return (
    <>
      <p className={styles.line}>
        <RoleButton needs="MEMBER" onClick={() => setEditing(true)}>
          Edit note
        </RoleButton>{' '}
        <RoleButton needs="MEMBER" disabled={isPending} onClick={() => mutate({ id, muted: !muted })}>
          {muted ? 'Unmute' : 'Mute'}
        </RoleButton>
      </p>
      <FormError error={error} />
      {isEditing && <NoteForm id={id} note={note ?? ''} onClose={() => setEditing(false)} />}
    </>
  )
}

function NoteForm(props: { readonly id: string; readonly note: string; readonly onClose: () => void }): React.JSX.Element {
  const { id, note, onClose } = props
  const refusal = useRoleRefusal('MEMBER')
  const { mutate, error, isPending } = useSend(UpdatePatternDocument, useNamespace(), onClose)
  return (
    <Dialog label="Note on the pattern" onClose={onClose}>
      <h2>Note on the pattern</h2>
      <p>All members of the namespace see it, next to the pattern. An empty note is removed.</p>
      <Form
        submitLabel="Save"
        error={error}
        isSending={isPending}
        refusal={refusal}
        onSubmit={values => mutate({ id, note: fieldValue(values, 'note') })}
        onCancel={onClose}
      >
        <label className={forms.field}>
          Note
          <textarea name="note" rows={4} maxLength={MAX_NOTE_CHARACTERS} defaultValue={note} />
        </label>
      </Form>
    </Dialog>
  )
}

/** The most frequent values of the variable parts, on request: they are read from the latest logs of the pattern. */
function Variables({ id }: { readonly id: string }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <VariableValues id={id} />
  return (
    <p className={styles.line}>
      <Button onClick={() => setOpen(true)}>Show the values of its variable parts</Button>
    </p>
  )
}

function VariableValues({ id }: { readonly id: string }): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(PatternVariablesDocument, { id }, { namespace })
  return (
    <ResultView result={result} what="the values">
      {({ logPattern }) => {
        const variables = logPattern?.variables ?? []
        if (variables.length === 0) return <p className={styles.line}>The pattern has no variable parts.</p>
        return (
          <ul className={styles.related} aria-label="Variable parts">
            {variables.map(variable => (
              <li key={variable.name}>{visibleText(variableText(variable))}</li>
            ))}
          </ul>
        )
      }}
    </ResultView>
  )
}

/** `user (*): ada (12), bob (3); 7 different`. */
function variableText({ name, kind, values, distinct }: Variable): string {
  const listed = values.map(({ value, count }) => `${value} (${formatCount(count)})`).join(', ')
  return `${name} (${kind}): ${listed}; ${formatCount(distinct)} different`
}
