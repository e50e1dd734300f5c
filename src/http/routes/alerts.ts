import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AlertBacktests } from '../../alerting/rules/alert-backtests.js'
import type { AlertReport } from '../../alerting/rules/alert-report.js'
import type { AlertRuleService } from '../../alerting/rules/alert-rule-service.js'
import type { AlertGroupContent } from '../../alerting/rules/parse-group.js'
import { DEFAULT_GROUP } from '../../alerting/rules/rule-limits.js'
import { parseDurationMs } from '../../domain/duration.js'
import { GatewayError } from '../../domain/errors.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { backtestJson, eventJson, groupJson, instanceJson, statusJson, versionJson } from '../read-json/alert-json.js'
import { factsJson, pageJson, placeJson } from '../read-json/facts-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { LIST_EVENTS } from './alert-events-schemas.js'
import {
  BACKTEST,
  CREATE_GROUP,
  CREATE_RULE,
  DELETE_GROUP,
  DELETE_RULE,
  ENABLE_RULE,
  GET_RULE,
  LIST_ALERTS,
  LIST_GROUPS,
  LIST_RULES,
  LIST_VERSIONS,
  UPDATE_GROUP,
  UPDATE_RULE
} from './alerts-schemas.js'

/** Dependencies of `alertsRoutes`. */
export interface AlertsDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly alertRules: AlertRuleService
  readonly alertReport: AlertReport
  readonly alertBacktests: AlertBacktests
}

function noRule(): GatewayError {
  return new GatewayError('not_found', 'no alert rule of this namespace has this id', { field: 'id' })
}

interface GroupBody {
  readonly name: string
  readonly interval?: string
  readonly limit?: number | null
  readonly query_offset?: string | null
}

function duration(text: string, field: string): number {
  const ms = parseDurationMs(text)
  if (ms !== null) return ms
  throw new GatewayError('invalid_field', `${field} must be a duration such as 30s, 5m or 1h`, { field })
}

function groupOf({ name, interval, limit, query_offset: offset }: GroupBody): AlertGroupContent {
  return {
    name,
    intervalMs: interval === undefined ? DEFAULT_GROUP.intervalMs : duration(interval, 'interval'),
    limit: limit ?? null,
    queryOffsetMs: offset == null ? null : duration(offset, 'query_offset')
  }
}

/** Groups of alert rules. */
function groupRoutes(app: FastifyInstance, deps: AlertsDeps): void {
  const routes = typedRoutes(app)
  const { alertRules, authenticator } = deps
  routes.get('/api/v1/alerts/groups', { schema: LIST_GROUPS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => ({ groups: (await alertRules.groups(namespace)).map(groupJson) }))
  )
  routes.post('/api/v1/alerts/groups', { schema: CREATE_GROUP }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      const group = await alertRules.saveGroup(principal, namespace, groupOf(req.body))
      return groupJson({ group, rules: [] })
    })
  })
  routes.put('/api/v1/alerts/groups/:id', { schema: UPDATE_GROUP }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      const { id } = req.params
      await alertRules.saveGroup(principal, namespace, groupOf(req.body), id)
      return groupJson((await alertRules.groups(namespace)).find(({ group }) => group.id === id)!)
    })
  })
  routes.delete('/api/v1/alerts/groups/:id', { schema: DELETE_GROUP }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      await alertRules.removeGroup(principal, namespace, req.params.id)
      return { deleted: req.params.id }
    })
  })
}

/** Alert rules as they are written. */
function ruleWriteRoutes(app: FastifyInstance, deps: AlertsDeps): void {
  const routes = typedRoutes(app)
  const { alertRules, alertReport, authenticator } = deps
  routes.post('/api/v1/alerts/rules', { schema: CREATE_RULE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      const { group_id: groupId, ...rule } = req.body
      return statusJson(await alertReport.status(await alertRules.create(principal, namespace, alertRules.parse(rule), groupId)))
    })
  })
  routes.put('/api/v1/alerts/rules/:id', { schema: UPDATE_RULE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      const { group_id: groupId, version, ...rule } = req.body
      const change = { id: req.params.id, version, groupId }
      return statusJson(await alertReport.status(await alertRules.update(principal, namespace, change, alertRules.parse(rule))))
    })
  })
  routes.put('/api/v1/alerts/rules/:id/enabled', { schema: ENABLE_RULE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      const rule = await alertRules.setEnabled(principal, namespace, req.params.id, req.body.enabled)
      return statusJson(await alertReport.status(rule))
    })
  })
  routes.delete('/api/v1/alerts/rules/:id', { schema: DELETE_RULE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async namespace => {
      await alertRules.remove(principal, namespace, req.params.id)
      return { deleted: req.params.id }
    })
  })
}

/** Alert rules with their states, and the history of alerts. */
function ruleReadRoutes(app: FastifyInstance, deps: AlertsDeps): void {
  const routes = typedRoutes(app)
  const { alertRules, alertReport } = deps
  routes.get('/api/v1/alerts/rules', { schema: LIST_RULES }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { state: states, contains, limit, cursor: after } = req.query
      const page = await alertReport.rulePage(namespace, { states, contains, limit, after })
      return { rules: page.rules.map(statusJson), page: placeJson(page) }
    })
  )
  routes.get('/api/v1/alerts', { schema: LIST_ALERTS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { state: states, rule_id: ruleIds, limit, cursor: after } = req.query
      const page = await alertReport.alerts(namespace, { states, ruleIds, limit, after })
      return {
        alerts: page.alerts.map(({ ruleId, instance }) => ({ rule_id: ruleId, ...instanceJson(instance) })),
        page: placeJson(page)
      }
    })
  )
  routes.get('/api/v1/alerts/rules/:id', { schema: GET_RULE }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const status = await alertReport.rule(namespace, req.params.id)
      if (status === null) throw noRule()
      return statusJson(status)
    })
  )
  routes.get('/api/v1/alerts/rules/:id/versions', { schema: LIST_VERSIONS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const versions = await alertRules.versions(namespace, req.params.id)
      if (versions === null) throw noRule()
      return { versions: versions.map(versionJson) }
    })
  )
  routes.get('/api/v1/alerts/events', { schema: LIST_EVENTS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { start, end, rule_id: ruleIds, fingerprint, limit, cursor: after } = req.query
      const page = await alertReport.events(namespace, { start, end, ruleIds, fingerprint, limit, after })
      const facts = factsJson({ complete: true, window: page.window, warnings: [], tookMs: page.tookMs })
      return { events: page.events.map(eventJson), ...pageJson(page, null), ...facts }
    })
  )
}

/** Rules that are tried on the past. */
function backtestRoute(app: FastifyInstance, deps: AlertsDeps): void {
  typedRoutes(app).post('/api/v1/alerts/backtest', { schema: BACKTEST }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { rule, group_id: groupId, start, end } = req.body
      return backtestJson(await deps.alertBacktests.run(namespace, { rule, groupId, start, end }, signal))
    })
  )
}

/** Registers the routes of alert rules, their groups and their events. */
export function alertsRoutes(app: FastifyInstance, deps: AlertsDeps): void {
  groupRoutes(app, deps)
  ruleWriteRoutes(app, deps)
  ruleReadRoutes(app, deps)
  backtestRoute(app, deps)
}
