import 'reflect-metadata'
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql'
import { buildSchemaSync, type PubSub } from 'type-graphql'
import { ApiKeyResolver, AuditEntryResolver, InvitationResolver, MembershipResolver } from '../resolvers/access-parts.resolver.js'
import { AlertEventResolver, AlertGroupResolver, AlertInstanceResolver, AlertRuleResolver } from '../resolvers/alert.resolver.js'
import { AlertIntervalResolver } from '../resolvers/alert-interval.resolver.js'
import { AggregateResolver } from '../resolvers/aggregate.resolver.js'
import { AlertBacktestResolver } from '../resolvers/alert-backtest.resolver.js'
import { ServiceEventResolver } from '../resolvers/service-event.resolver.js'
import { AlertMutations } from '../resolvers/alert-mutation.resolver.js'
import { ApiKeyMutations } from '../resolvers/api-key-mutation.resolver.js'
import { CompareResolver } from '../resolvers/compare.resolver.js'
import { CorrelationResolver } from '../resolvers/correlation.resolver.js'
import { ExceptionMutations, ExceptionEventResolver, ExceptionResolver } from '../resolvers/exception.resolver.js'
import { LogConnectionResolver } from '../resolvers/log-connection.resolver.js'
import { LogPatternResolver, LogPatternsResolver } from '../resolvers/pattern.resolver.js'
import { LogStreamResolver } from '../resolvers/log-stream.resolver.js'
import { LogResolver } from '../resolvers/log.resolver.js'
import { MetricFactsResolver, MetricLabelResolver, MetricResolver } from '../resolvers/metric.resolver.js'
import { MemberMutations, NamespaceMutations } from '../resolvers/namespace-mutation.resolver.js'
import { NamespaceResolver } from '../resolvers/namespace.resolver.js'
import { OtlpResolver } from '../resolvers/otlp.resolver.js'
import { PasswordMutations, ViewerResolver } from '../resolvers/viewer.resolver.js'
import { PromqlResolver } from '../resolvers/promql.resolver.js'
import { RumResolver } from '../resolvers/rum.resolver.js'
import { HostResolver } from '../resolvers/host.resolver.js'
import { ListenerResolver } from '../resolvers/listener.resolver.js'
import { RedSeriesResolver, ServiceResolver } from '../resolvers/service.resolver.js'
import { StoreResolver } from '../resolvers/store.resolver.js'
import { TraceConnectionResolver } from '../resolvers/trace-connection.resolver.js'
import { TraceQueries, TraceSummaryResolver } from '../resolvers/trace-query.resolver.js'
import { TraceOutlineResolver, TraceResolver } from '../resolvers/trace.resolver.js'
import { LogLinkResolver, SpanResolver } from '../resolvers/span.resolver.js'
import { QueryValidationResolver } from '../resolvers/query-validation.resolver.js'
import { AlertRoutingResolver } from '../resolvers/alert-routing.resolver.js'
import { ChannelResolver } from '../resolvers/channel.resolver.js'
import { LogRulesResolver } from '../resolvers/log-rules.resolver.js'
import { SavedMeasureResolver } from '../resolvers/saved-measure.resolver.js'
import { PreferencesResolver, SavedViewResolver } from '../resolvers/saved-view.resolver.js'
import { SilenceResolver } from '../resolvers/silence.resolver.js'
import { AlertGroupSloResolver, SloMutations, SloResolver } from '../resolvers/slo.resolver.js'
import { TailResolver } from '../resolvers/tail.resolver.js'
import { QueryStatsResolver } from '../resolvers/query-stats.resolver.js'
import { ApiKeyPrincipalType, UserType } from './access.type.js'
import './register-alert-enums.js'
import './register-notification-enums.js'
import './register-shared-enums.js'
import './register-telemetry-enums.js'

/** The library requires one; subscriptions here have sources of their own. */
const NO_TOPICS: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('subscriptions have no topics')
  }
}

const RESOLVERS = [
  ViewerResolver,
  PreferencesResolver,
  SavedViewResolver,
  SavedMeasureResolver,
  LogRulesResolver,
  ChannelResolver,
  SilenceResolver,
  AlertRoutingResolver,
  NamespaceResolver,
  MembershipResolver,
  InvitationResolver,
  ApiKeyResolver,
  AuditEntryResolver,
  NamespaceMutations,
  MemberMutations,
  ApiKeyMutations,
  PasswordMutations,
  LogResolver,
  LogConnectionResolver,
  LogPatternsResolver,
  LogPatternResolver,
  LogStreamResolver,
  TailResolver,
  QueryStatsResolver,
  QueryValidationResolver,
  MetricFactsResolver,
  MetricResolver,
  MetricLabelResolver,
  PromqlResolver,
  RumResolver,
  AlertGroupResolver,
  AlertRuleResolver,
  AlertInstanceResolver,
  AlertEventResolver,
  AlertBacktestResolver,
  AlertIntervalResolver,
  ServiceEventResolver,
  AlertMutations,
  SloResolver,
  AlertGroupSloResolver,
  SloMutations,
  ExceptionResolver,
  ExceptionEventResolver,
  ExceptionMutations,
  HostResolver,
  ListenerResolver,
  RedSeriesResolver,
  ServiceResolver,
  AggregateResolver,
  CompareResolver,
  CorrelationResolver,
  StoreResolver,
  OtlpResolver,
  TraceQueries,
  TraceSummaryResolver,
  TraceConnectionResolver,
  TraceResolver,
  TraceOutlineResolver,
  SpanResolver,
  LogLinkResolver
] as const

/** Describes the root types, which no decorator names. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  schema.getQueryType()!.description =
    'Reads. Fields about telemetry read the active namespace and are nullable, so that a failing one leaves its neighbors intact.'
  schema.getMutationType()!.description =
    'Changes. A rejected change returns null and `userErrors`; unless noted, it applies to the active namespace.'
  schema.getSubscriptionType()!.description = 'Follows the active namespace, over WebSocket (graphql-transport-ws).'
  return schema
}

/** The executable schema. Building it takes about 20 ms: once per process. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: RESOLVERS,
    orphanedTypes: [UserType, ApiKeyPrincipalType],
    pubSub: NO_TOPICS,
    validate: false,
    // Checking it by introspection takes as long as building it; the test of the emitted schema does it.
    skipCheck: true
  })
  return describeRoots(schema)
}

/** The schema in SDL, in an order that does not depend on the order of imports. */
export function printSorted(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`
}
