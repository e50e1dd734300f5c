import { useState } from 'react'
import {
  CreateSilenceDocument,
  ExpireSilenceDocument,
  SilencePreviewDocument,
  SilencesDocument,
  type SilencesQuery
} from '../api/generated/Silences.js'
import { useApi } from '../api/context.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { Dialog } from '../ui/dialog.js'
import { fieldValue } from '../ui/field-value.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { Instant } from '../ui/instant.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

type Silence = NonNullable<SilencesQuery['silences']>[number]

const ROW_PX = 32
const HOUR_MS = 3_600_000
const LENGTHS: readonly (readonly [hours: number, name: string])[] = [
  [1, '1 hour'],
  [4, '4 hours'],
  [24, '1 day'],
  [168, '7 days']
]

/** One matcher per line or comma, as Alertmanager writes them. */
export function matchersOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(Boolean)
}

function columnsOf(zone: string, onEnd: (silence: Silence) => void): readonly Column<Silence>[] {
  return [
    {
      key: 'matchers',
      header: 'Matchers',
      width: 'minmax(220px, 1fr)',
      render: ({ matchers }) => <code>{visibleText(matchers.join(', '))}</code>
    },
    { key: 'comment', header: 'Comment', width: 'minmax(160px, 1fr)', render: ({ comment }) => visibleText(comment) },
    { key: 'by', header: 'By', width: '180px', render: ({ createdBy }) => visibleText(createdBy?.email ?? '–') },
    { key: 'starts', ...timeColumn('From', zone), render: ({ startsAt }) => <Instant value={startsAt} /> },
    { key: 'ends', ...timeColumn('Until', zone), sorted: 'ascending', render: ({ endsAt }) => <Instant value={endsAt} /> },
    {
      key: 'end',
      header: '',
      width: '88px',
      render: silence => (
        <RoleButton needs="MEMBER" kind="plain" onClick={() => onEnd(silence)}>
          End now
        </RoleButton>
      )
    }
  ]
}

/** Silences that are active or begin later. They hide notifications; alerts keep their states. */
export function Silences(): React.JSX.Element {
  const namespace = useNamespace()
  const { zoneName } = useInstantFormat()
  const result = useRequest(SilencesDocument, { active: true }, { namespace })
  const { mutate, error } = useSend(ExpireSilenceDocument, namespace)
  const end = ({ id }: Silence): void => mutate({ id })
  return (
    <section className={styles.section} aria-label="Silences" aria-busy={result.isFetching}>
      <div className={styles.head}>
        <p className={styles.muted}>A silence hides notifications of the alerts that it matches.</p>
        <NewSilence />
      </div>
      <FormError error={error} />
      <ResultView result={result} what="silences">
        {({ silences }) =>
          silences?.length ? (
            <div style={{ height: Math.min((silences.length + 1) * ROW_PX + 16, 640) }}>
              <VirtualGrid
                label="Silences"
                columns={columnsOf(zoneName, end)}
                rows={silences}
                total={silences.length}
                rowKey={({ id }) => id}
                selectedKey={null}
                rowHeight={ROW_PX}
                onOpen={() => undefined}
              />
            </div>
          ) : (
            <Empty title="No silence is active" />
          )
        }
      </ResultView>
    </section>
  )
}

function NewSilence(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const [matchers, setMatchers] = useState<readonly string[]>([])
  const { mutate, error, isPending, reset } = useSend(CreateSilenceDocument, namespace, () => setOpen(false))
  const open = (): void => {
    setMatchers([])
    reset()
    setOpen(true)
  }
  const submit = (values: FormData): void => {
    const endsAt = new Date(api.nowMs() + Number(fieldValue(values, 'hours')) * HOUR_MS).toISOString()
    mutate({ input: { matchers: matchersOf(fieldValue(values, 'matchers')), endsAt, comment: fieldValue(values, 'comment') } })
  }
  return (
    <>
      <RoleButton needs="MEMBER" kind="primary" onClick={open}>
        New silence
      </RoleButton>
      {isOpen && (
        <Dialog label="New silence" onClose={() => setOpen(false)}>
          <h2>New silence</h2>
          <Form submitLabel="Save" error={error} isSending={isPending} onSubmit={submit} onCancel={() => setOpen(false)}>
            <label className={forms.field}>
              Matchers, one per line
              <textarea
                name="matchers"
                rows={3}
                required
                spellCheck={false}
                placeholder={'alertname="HighErrorRate"\nservice=~"pay.*"'}
                onBlur={event => setMatchers(matchersOf(event.currentTarget.value))}
              />
            </label>
            <Preview matchers={matchers} />
            <label className={forms.field}>
              For
              <select name="hours" defaultValue="1">
                {LENGTHS.map(([hours, name]) => (
                  <option key={hours} value={hours}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className={forms.field}>
              Comment
              <input name="comment" required maxLength={1_000} autoComplete="off" />
            </label>
          </Form>
        </Dialog>
      )}
    </>
  )
}

/** Which present alerts the matchers hide. */
function Preview({ matchers }: { readonly matchers: readonly string[] }): React.JSX.Element | null {
  const namespace = useNamespace()
  const { data, error } = useRequest(
    SilencePreviewDocument,
    { matchers: [...matchers] },
    { namespace, enabled: matchers.length > 0 }
  )
  if (matchers.length === 0) return null
  if (error) return <FormError error={error} />
  const hidden = data?.silencePreview ?? []
  const names = [...new Set(hidden.map(({ labels }) => labels.find(({ name }) => name === 'alertname')?.value ?? ''))]
  return (
    <p role="status" className={styles.muted}>
      {hidden.length === 0
        ? 'Matches no present alert.'
        : `Hides ${plural(hidden.length, 'alert')} of ${visibleText(names.slice(0, 5).join(', '))}.`}
    </p>
  )
}
