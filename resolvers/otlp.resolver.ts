import { Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { type OtlpChannelType, type OtlpEndpointType, OtlpStatusType } from '../schema/otlp.type.js'
import { TestSpanPayload } from '../schema/payload.type.js'
import type { OtlpEndpoint } from '../src/ingest/otlp-report.js'
import type { OtlpChannel } from '../src/ingest/otlp-status.js'
import { TEST_SERVICE } from '../src/ingest/test-span.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { optionalNs } from './to-access.js'

function toEndpoint({ lastReceivedMs, ...endpoint }: OtlpEndpoint): OtlpEndpointType {
  return { ...endpoint, accepting: endpoint.url !== null, lastReceivedAt: optionalNs(lastReceivedMs) }
}

function toChannel({ lastAcceptedMs, lastRejectedMs, ...channel }: OtlpChannel): OtlpChannelType {
  return { ...channel, lastAcceptedAt: optionalNs(lastAcceptedMs), lastRejectedAt: optionalNs(lastRejectedMs) }
}

/** The state of OTLP ingest. */
@Resolver()
export class OtlpResolver {
  @Query(() => OtlpStatusType, { nullable: true, description: 'Reports whether OTLP data arrives in the namespace.' })
  async otlpStatus(@Ctx() context: Context): Promise<OtlpStatusType> {
    const { endpoints, channels, perSecond, services } = context.use.otlpReport((await context.namespace()).id)
    return {
      endpoints: endpoints.map(toEndpoint),
      channels: channels.map(toChannel),
      spansPerSecond: perSecond.traces,
      logsPerSecond: perSecond.logs,
      pointsPerSecond: perSecond.metrics,
      services
    }
  }

  @Mutation(() => TestSpanPayload, {
    complexity: COST_OF_A_SEARCH,
    description: 'Sends a span through the OTLP pipeline and reads it back. Requires role MEMBER.'
  })
  async sendTestSpan(@Ctx() context: Context): Promise<TestSpanPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const { isReadable, ...sent } = await context.use.testSpans.send(user, namespace, context.signal)
      return { span: { ...sent, service: TEST_SERVICE, readable: isReadable } }
    })
  }
}
