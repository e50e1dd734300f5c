import type { OperationDocs } from './operation-doc.js'

const CREDENTIALS = { email: 'ada@example.com', password: 'a long password' }

const USER = { id: 'empi9ip4yxcn8nj2qcfx', email: CREDENTIALS.email, name: 'Ada' }
const NAMESPACE = {
  id: 'mib9a5m42irhewpf24u7',
  name: 'team-a',
  kind: 'team',
  state: 'active',
  retention: { logs: '30d', traces: '7d', metrics: '30d', rum: '30d', errors: '30d', rejected: '3d' },
  storage: { placement: 'dedicated', search: 'exact' },
  created_at: '2026-11-20T11:45:03.962Z',
  role: 'admin'
}
const LOG_RULES = {
  redact: { detectors: ['card', 'email', 'token'], keys: ['password'], literals: [] },
  drop: [{ name: 'health checks', query: 'service:gateway "GET /healthz"', keep: 0.01 }],
  fields: [{ when: { logger: 'legacy' }, overrides: { message_field: 'text', level_field: 'prio' } }]
}
const TOKENS = {
  access_token: 'eyJhbGciOiJFZERTQSJ9…',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: 'alr_gymlW2VrAwxO1Cd4…',
  user: USER,
  namespace: { id: 'x4qgyn3igygz3rxekivz', name: 'ada-8de5b9', kind: 'personal' },
  role: 'admin'
}
const MEMBER = { namespace_id: NAMESPACE.id, user: USER, role: 'member', since: '2026-11-20T11:45:04.040Z' }
const INVITATION = {
  id: 'nj7khx6aw57tq37dgctf',
  namespace_id: NAMESPACE.id,
  role: 'member',
  invited_by: USER.id,
  created_at: '2026-11-20T11:45:04.028Z',
  expires_at: '2026-11-27T11:45:04.028Z'
}
const KEY = {
  id: 'ur268j5zikvjvm5j49rg',
  name: 'collector',
  kind: 'ingest',
  state: 'active',
  prefix: 'ali_ingest_YZhjWW',
  namespaces: [NAMESPACE.id],
  allowed_origins: [],
  created_by: USER.id,
  created_at: '2026-11-20T11:45:04.080Z',
  expires_at: null,
  last_used_at: null,
  previous_until: null
}

/** Operations about sessions, keys, namespaces and members. */
export const IDENTITY_DOCS: OperationDocs = {
  register: {
    summary: 'Register a user',
    description:
      'Creates a user with a personal namespace and signs in. At most 5 registrations a minute per address; can require an invitation token.',
    request: { ...CREDENTIALS, name: 'Ada' },
    reply: TOKENS
  },
  login: {
    summary: 'Sign in',
    description:
      'At most 5 attempts a minute per account and address, and 30 failures a minute per address (IPv6: /64). An invitation token also adds the membership.',
    request: CREDENTIALS,
    reply: TOKENS
  },
  refreshSession: {
    summary: 'Refresh a session',
    description:
      'Exchanges a refresh token for new tokens. A refresh token is valid once; a second use ends the session. A cookie session may repeat a refresh within 10 s and gets the same successor.',
    request: { refresh_token: 'REFRESH_TOKEN' },
    reply: TOKENS
  },
  logout: {
    summary: 'Sign out',
    description: 'Ends the session of a refresh token, for all tabs and devices that share it, and removes the cookie.',
    request: { refresh_token: 'REFRESH_TOKEN' }
  },
  switchNamespace: {
    summary: 'Switch the active namespace',
    description: 'Returns tokens for another namespace of the user, by id or name.',
    request: { namespace_id: 'team-a' },
    reply: { ...TOKENS, namespace: { id: NAMESPACE.id, name: 'team-a', kind: 'team' } }
  },
  changePassword: {
    summary: 'Change the own password',
    description:
      'Ends all other sessions of the user. At most 5 attempts a minute, sign-ins included. New passwords have 8 to 256 characters.',
    request: { current_password: 'a long password', new_password: 'another long password' }
  },
  getJwks: {
    summary: 'Read the public keys of access tokens',
    description: 'JWK set (RFC 7517) for verifying access tokens (EdDSA).',
    reply: {
      keys: [
        {
          crv: 'Ed25519',
          x: 'CHQ5eDsFVVuB-CJUaDxm-wHMNnJqSOF0flHdd0Ll4PQ',
          kty: 'OKP',
          kid: '9i2ri562gkxx2rkt9ur6',
          alg: 'EdDSA',
          use: 'sig'
        }
      ]
    }
  },
  createKey: {
    summary: 'Create an API key',
    description: 'Requires role admin in every namespace of the key. The response contains the secret; it cannot be read again.',
    request: { name: 'collector', kind: 'ingest' },
    reply: { ...KEY, key: 'ali_ingest_YZhjWW…' }
  },
  listKeys: {
    summary: 'List API keys',
    description:
      'Keys of a namespace, latest first, including expired and revoked ones. Requires role admin. Default: the active namespace.',
    reply: { keys: [KEY] }
  },
  rotateKey: {
    summary: 'Rotate an API key',
    description:
      'Replaces the secret; the previous one remains valid for `grace`, at most 30d, by default not at all. Requires role admin in every namespace of the key.',
    request: { grace: '1h' },
    reply: {
      ...KEY,
      state: 'rotating',
      prefix: 'ali_ingest_HFnmr_',
      previous_until: '2026-11-20T12:45:04.088Z',
      key: 'ali_ingest_HFnmr_…'
    }
  },
  revokeKey: {
    summary: 'Revoke an API key',
    description: 'Takes effect before the response. Requires role admin in one of its namespaces.'
  },
  listNamespaces: {
    summary: 'List namespaces',
    description: 'Namespaces of the user by name. Operators can list all namespaces of the installation with their sizes.',
    reply: { namespaces: [NAMESPACE] }
  },
  createNamespace: {
    summary: 'Create a team namespace',
    description:
      'The caller becomes its admin. Default retention: logs 14d, traces 7d, metrics, page views and errors 30d, rejected records 3d.',
    request: { name: 'team-a', retention: { logs: '30d' } },
    reply: NAMESPACE
  },
  getNamespace: {
    summary: 'Read a namespace',
    description: 'The path takes the id or the name. Requires a membership.',
    reply: NAMESPACE
  },
  changeNamespace: {
    summary: 'Change retention or search of a namespace',
    description:
      'One of `retention` and `storage` per request; absent signals keep their retention. Requires role admin; operators can change `storage` too.',
    request: { retention: { logs: '60d' } },
    reply: { ...NAMESPACE, retention: { ...NAMESPACE.retention, logs: '60d' } }
  },
  getLogRules: {
    summary: 'Read the log rules of a namespace',
    description: 'What happens to records before they are stored. Requires role admin: literals may be secrets.',
    reply: LOG_RULES
  },
  putLogRules: {
    summary: 'Replace the log rules of a namespace',
    description:
      'Redaction of logs, spans, errors and page views; logs that are dropped or sampled; how logs of senders are recognized. The rules hold for later requests, on other gateways within a second. Try them with `dry_run`. Requires role admin.',
    request: LOG_RULES,
    reply: LOG_RULES
  },
  deleteNamespace: {
    summary: 'Delete a namespace',
    description:
      'Reads and writes fail from now on; data is removed in the background. The name remains reserved for at least 90 days. Requires role admin.',
    reply: { ...NAMESPACE, state: 'deleting' }
  },
  listAudit: {
    summary: 'List audit entries',
    description:
      'Security-relevant actions in a namespace, latest first. Requires role admin. Default page: 100 entries, at most 1,000.',
    reply: {
      entries: [
        {
          id: '01M7WCCFJ1JEQPD05F3SJWP83J',
          at: '2026-11-20T11:45:04.065Z',
          actor: USER.id,
          action: 'invitation.created',
          target: INVITATION.id,
          detail: { role: 'member' }
        }
      ],
      page: { next_cursor: null, has_more: false, limit: 100 }
    }
  },
  getUsage: {
    summary: 'Report the ingested volume',
    description:
      'Records and bytes per UTC day and signal. Default: the last 30 days; at most 366 days. Days without data are absent.',
    reply: {
      from: '2026-10-22',
      to: '2026-11-20',
      usage: [
        {
          day: '2026-11-20',
          signal: 'logs',
          received: 4,
          stored: 4,
          rejected: 0,
          deduplicated: 0,
          dropped: 0,
          spooled: 0,
          bytes: 861
        }
      ]
    }
  },
  listMembers: {
    summary: 'List members',
    description: 'Users of a namespace and their roles, oldest membership first. Requires a membership.',
    reply: { members: [MEMBER] }
  },
  changeMember: {
    summary: 'Change the role of a member',
    description: 'Takes effect before the response. The last admin cannot be demoted. Requires role admin.',
    request: { role: 'viewer' },
    reply: { ...MEMBER, role: 'viewer' }
  },
  removeMember: {
    summary: 'Remove a member',
    description: 'Takes effect before the response. The last admin cannot be removed. Requires role admin, except for oneself.'
  },
  createInvitation: {
    summary: 'Create an invitation',
    description:
      'The token is valid once, for 7 days, and cannot be read again. At most 100 invitations are open. Requires role admin.',
    request: { role: 'member' },
    reply: { invitation: INVITATION, token: 'ali_invite_PJ8oBI…' }
  },
  listInvitations: {
    summary: 'List open invitations',
    description: 'Oldest first. Requires role admin.',
    reply: { invitations: [INVITATION] }
  },
  revokeInvitation: { summary: 'Revoke an invitation', description: 'Invalidates its token. Requires role admin.' },
  acceptInvitation: {
    summary: 'Accept an invitation',
    description: 'Makes the caller a member of the namespace that issued the token.',
    request: { invitation_token: 'INVITATION_TOKEN' },
    reply: MEMBER
  }
}
