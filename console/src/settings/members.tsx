import { useState } from 'react'
import {
  MembersDocument,
  type MembersQuery,
  RemoveMemberDocument,
  RevokeInvitationDocument,
  SetMemberRoleDocument
} from '../api/generated/Members.js'
import type { Role } from '../api/generated/Session.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { useRoleRefusal } from '../app/role.js'
import { RoleButton } from '../app/role-button.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { useViewer } from '../app/use-viewer.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import type { Column } from '../tables/virtual-grid.js'
import { Button } from '../ui/button.js'
import { fieldValue } from '../ui/field-value.js'
import { Form, FormError } from '../ui/form.js'
import forms from '../ui/form.module.css'
import { ResultView } from '../ui/result-view.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { DetailCard } from './detail-card.js'
import { InviteMember } from './invite-member.js'
import styles from './page.module.css'
import { RoleSelect } from './role-select.js'
import { SizedGrid } from '../tables/sized-grid.js'

type Member = MembersQuery['namespace']['members']['nodes'][number]
type Invitation = NonNullable<MembersQuery['namespace']['invitations']>[number]

/** Members with their roles, and open invitations. */
export function Members(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(MembersDocument, {}, { namespace })
  return (
    <ResultView result={result} what="members">
      {data => <Loaded of={data.namespace} />}
    </ResultView>
  )
}

function Loaded({ of: { members, invitations } }: { readonly of: MembersQuery['namespace'] }): React.JSX.Element {
  const { search, change } = useAddress()
  const selected = members.nodes.find(({ user }) => user.id === one(search, 'sel')) ?? null
  const close = (): void => change({ sel: null })
  return (
    <>
      <section aria-label="Members of the namespace" className={styles.section}>
        <div className={styles.row}>
          <h2>Members</h2>
          <InviteMember />
        </div>
        <div className={styles.split} data-detail={selected !== null || undefined}>
          <MemberGrid members={members.nodes} total={members.totalCount} selected={selected?.user.id ?? null} />
          {selected && <MemberDetail key={selected.id + selected.role} member={selected} onClose={close} />}
        </div>
      </section>
      <section aria-label="Open invitations" className={styles.section}>
        <h2>Open invitations</h2>
        {invitations ? (
          <Invitations invitations={invitations} />
        ) : (
          <p className={styles.hint}>Only admins see and create invitations.</p>
        )}
      </section>
    </>
  )
}

function MemberGrid(props: {
  readonly members: readonly Member[]
  readonly total: number
  readonly selected: string | null
}): React.JSX.Element {
  const { change } = useAddress()
  const format = useInstantFormat()
  const columns: readonly Column<Member>[] = [
    { key: 'email', header: 'E-mail', width: '260px', render: ({ user }) => visibleText(user.email) },
    { key: 'name', header: 'Name', width: '200px', render: ({ user }) => visibleText(user.name ?? '–') },
    { key: 'role', header: 'Role', width: '90px', render: ({ role }) => role.toLowerCase() },
    {
      key: 'since',
      header: `Since (${format.zoneName})`,
      width: 'minmax(170px, 1fr)',
      render: ({ since }) => format.full(since).slice(0, 16)
    }
  ]
  return (
    <SizedGrid
      label="Members"
      columns={columns}
      rows={props.members}
      total={props.total}
      rowKey={({ user }) => user.id}
      selectedKey={props.selected}
      onOpen={({ user }) => change({ sel: user.id })}
    />
  )
}

function MemberDetail({ member, onClose }: { readonly member: Member; readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const { data } = useViewer(namespace)
  const refusal = useRoleRefusal('ADMIN')
  const setRole = useSend(SetMemberRoleDocument, namespace)
  const remove = useSend(RemoveMemberDocument, namespace)
  const [isSure, setSure] = useState(false)
  const userId = member.user.id
  const isSelf = data?.viewer.principal.id === userId
  const what = isSelf ? 'Leave this namespace' : 'Remove from this namespace'
  return (
    <DetailCard label="Member detail" title={visibleText(member.user.email)} onClose={onClose}>
      <Form
        submitLabel="Change role"
        error={setRole.error}
        isSending={setRole.isPending}
        refusal={refusal}
        onSubmit={values => setRole.mutate({ userId, role: fieldValue(values, 'role') as Role })}
      >
        <RoleSelect initial={member.role} isDisabled={refusal !== null} />
      </Form>
      <FormError error={remove.error} />
      {isSure ? (
        <div className={styles.row}>
          <Button kind="primary" disabled={remove.isPending} onClick={() => remove.mutate({ userId })}>
            {what}
          </Button>
          <Button onClick={() => setSure(false)}>Cancel</Button>
          <span className={forms.hint}>{isSelf ? 'You' : 'The user'} can come back only by a new invitation.</span>
        </div>
      ) : (
        <div className={styles.row}>
          <RoleButton needs={isSelf ? 'VIEWER' : 'ADMIN'} onClick={() => setSure(true)}>
            {what}…
          </RoleButton>
        </div>
      )}
    </DetailCard>
  )
}

function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }): React.JSX.Element {
  const namespace = useNamespace()
  const format = useInstantFormat()
  const { mutate, error, isPending } = useSend(RevokeInvitationDocument, namespace)
  if (invitations.length === 0) return <p className={styles.hint}>None.</p>
  return (
    <div className={styles.wide}>
      <FormError error={error} />
      <FactsTable
        label="Invitations"
        columns={[
          { header: 'Role', render: ({ role }) => role.toLowerCase() },
          { header: 'Created by', render: ({ invitedBy }) => visibleText(invitedBy?.email ?? 'a former member') },
          { header: `Expires (${format.zoneName})`, render: ({ expiresAt }) => format.full(expiresAt).slice(0, 16) },
          {
            header: 'Action',
            render: ({ id }) => (
              <Button disabled={isPending} onClick={() => mutate({ id })}>
                Revoke invitation
              </Button>
            )
          }
        ]}
        rows={invitations}
        rowKey={({ id }) => id}
      />
    </div>
  )
}
