import type { FastifyInstance } from 'fastify'
import type { Role } from '../../domain/role.js'
import { invitationReply, memberReply } from '../identity-replies.js'
import { response, body, INVITATION, list, MEMBER, NO_CONTENT, params, ROLE, SECRET, SESSION_ONLY } from '../identity-schemas.js'
import type { IdentityDeps } from './identity-deps.js'

interface ById {
  readonly id: string
}

const COMMON = { tags: ['members'], security: SESSION_ONLY }

const LIST = {
  ...COMMON,
  operationId: 'listMembers',
  params: params('id'),
  response: { 200: list('Oldest membership first.', 'members', MEMBER) }
}
const PATCH = {
  ...COMMON,
  operationId: 'changeMember',
  params: params('id', 'user_id'),
  body: body(['role'], { role: ROLE }),
  response: { 200: response('Changed.', MEMBER) }
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
    201: {
      description: 'The token is returned once.',
      type: 'object',
      required: ['invitation', 'token'],
      properties: { invitation: INVITATION, token: { type: 'string' } }
    }
  }
}
const INVITATIONS = {
  ...COMMON,
  operationId: 'listInvitations',
  params: params('id'),
  response: { 200: list('Oldest first.', 'invitations', INVITATION) }
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
  response: { 200: response('The membership.', MEMBER) }
}

function memberListRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const { members } = access
  app.get('/api/v1/namespaces/:id/members', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    return { members: (await members.list(principal, (req.params as ById).id)).map(memberReply) }
  })
  app.patch('/api/v1/namespaces/:id/members/:user_id', { schema: PATCH }, async req => {
    const principal = await authenticator.session(req)
    const { id, user_id } = req.params as ById & { user_id: string }
    return memberReply(await members.setRole(principal, id, user_id, (req.body as { role: Role }).role))
  })
  app.delete('/api/v1/namespaces/:id/members/:user_id', { schema: REMOVE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { id, user_id } = req.params as ById & { user_id: string }
    await members.remove(principal, id, user_id)
    return reply.code(204).send()
  })
}

function invitationRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const { invitations } = access
  app.post('/api/v1/namespaces/:id/invitations', { schema: INVITE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const made = await invitations.create(principal, (req.params as ById).id, (req.body as { role: Role }).role)
    void reply.code(201).header('cache-control', 'no-store')
    return { invitation: invitationReply(made.invitation), token: made.token }
  })
  app.get('/api/v1/namespaces/:id/invitations', { schema: INVITATIONS }, async req => {
    const principal = await authenticator.session(req)
    return { invitations: (await invitations.list(principal, (req.params as ById).id)).map(invitationReply) }
  })
  app.delete('/api/v1/namespaces/:id/invitations/:invitation_id', { schema: UNINVITE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { id, invitation_id } = req.params as ById & { invitation_id: string }
    await invitations.revoke(principal, id, invitation_id)
    return reply.code(204).send()
  })
  app.post('/api/v1/invitations/accept', { schema: ACCEPT }, async req => {
    const principal = await authenticator.session(req)
    return memberReply(await invitations.accept(principal, (req.body as { invitation_token: string }).invitation_token))
  })
}

/** Registers members and invitations of namespaces, and the acceptance of an invitation. */
export function memberRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  memberListRoutes(app, deps)
  invitationRoutes(app, deps)
}
