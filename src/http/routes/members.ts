import type { FastifyInstance } from 'fastify'
import { invitationReply, memberReply } from '../identity-replies.js'
import { body, INVITATION, MEMBER, NO_CONTENT, params, ROLE, SECRET, SESSION_ONLY } from '../identity-schemas.js'
import { described, list, object, TEXT, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'

const COMMON = { tags: ['members'], security: SESSION_ONLY }

const LIST = {
  ...COMMON,
  operationId: 'listMembers',
  params: params('id'),
  response: { 200: described('Oldest membership first.', object({ members: list(MEMBER) })) }
}
const PATCH = {
  ...COMMON,
  operationId: 'changeMember',
  params: params('id', 'user_id'),
  body: body(['role'], { role: ROLE }),
  response: { 200: { ...MEMBER, description: 'The member with the new role.' } }
}
const REMOVE = {
  ...COMMON,
  operationId: 'removeMember',
  params: params('id', 'user_id'),
  response: { 204: NO_CONTENT }
}
const INVITE = {
  ...COMMON,
  operationId: 'createInvitation',
  params: params('id'),
  body: body(['role'], { role: ROLE }),
  response: {
    201: described('The token is returned once.', object({ invitation: INVITATION, token: TEXT }))
  }
}
const INVITATIONS = {
  ...COMMON,
  operationId: 'listInvitations',
  params: params('id'),
  response: { 200: described('Oldest first.', object({ invitations: list(INVITATION) })) }
}
const UNINVITE = {
  ...COMMON,
  operationId: 'revokeInvitation',
  params: params('id', 'invitation_id'),
  response: { 204: NO_CONTENT }
}
const ACCEPT = {
  ...COMMON,
  operationId: 'acceptInvitation',
  body: body(['invitation_token'], { invitation_token: SECRET }),
  response: { 200: { ...MEMBER, description: 'The membership.' } }
}

function memberListRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const routes = typedRoutes(app)
  const { members } = access
  routes.get('/api/v1/namespaces/:id/members', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    return { members: (await members.list(principal, req.params.id)).map(memberReply) }
  })
  routes.patch('/api/v1/namespaces/:id/members/:user_id', { schema: PATCH }, async req => {
    const principal = await authenticator.session(req)
    const { id, user_id } = req.params
    return memberReply(await members.setRole(principal, id, user_id, req.body.role))
  })
  routes.delete('/api/v1/namespaces/:id/members/:user_id', { schema: REMOVE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { id, user_id } = req.params
    await members.remove(principal, id, user_id)
    return reply.code(204).send()
  })
}

function invitationRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const routes = typedRoutes(app)
  const { invitations } = access
  routes.post('/api/v1/namespaces/:id/invitations', { schema: INVITE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const made = await invitations.create(principal, req.params.id, req.body.role)
    void reply.code(201).header('cache-control', 'no-store')
    return { invitation: invitationReply(made.invitation), token: made.token }
  })
  routes.get('/api/v1/namespaces/:id/invitations', { schema: INVITATIONS }, async req => {
    const principal = await authenticator.session(req)
    return { invitations: (await invitations.list(principal, req.params.id)).map(invitationReply) }
  })
  routes.delete('/api/v1/namespaces/:id/invitations/:invitation_id', { schema: UNINVITE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { id, invitation_id } = req.params
    await invitations.revoke(principal, id, invitation_id)
    return reply.code(204).send()
  })
  routes.post('/api/v1/invitations/accept', { schema: ACCEPT }, async req => {
    const principal = await authenticator.session(req)
    return memberReply(await invitations.accept(principal, req.body.invitation_token))
  })
}

/** Registers members and invitations of namespaces, and the acceptance of an invitation. */
export function memberRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  memberListRoutes(app, deps)
  invitationRoutes(app, deps)
}
