import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import type { NewApiKey } from '../src/access/api-key-service.js'
import { ApiKeyInputType } from '../schema/access.input.js'
import { ApiKeyPayload, CreateApiKeyPayload } from '../schema/payload.type.js'
import { Duration } from '../schema/scalars.js'
import { type Context, signedIn } from './context.js'
import { instantMs } from './instant.js'
import { payload } from './refusals.js'
import { toApiKey } from './to-access.js'

/** The requested key; without `namespaceIds` it is for the namespace of the request. */
function newKey(input: ApiKeyInputType, context: Context, active: string): NewApiKey {
  return {
    name: input.name,
    kind: input.kind,
    namespaces: input.namespaceIds ?? [active],
    ...(input.allowedOrigins == null ? {} : { allowedOrigins: input.allowedOrigins }),
    ...(input.expiresAt == null ? {} : { expiresAtMs: instantMs(input.expiresAt, context.nowMs(), 'expiresAt') })
  }
}

/** Mutations of API keys. */
@Resolver()
export class ApiKeyMutations {
  @Mutation(() => CreateApiKeyPayload, { description: 'Creates an API key. Requires role ADMIN in every namespace of the key.' })
  async createApiKey(
    @Arg('input', () => ApiKeyInputType, { description: 'Properties of the key.' }) input: ApiKeyInputType,
    @Ctx() context: Context
  ): Promise<CreateApiKeyPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => {
      const { key, secret } = await context.use.apiKeys.create(user, newKey(input, context, id))
      return { apiKey: toApiKey(key, id), secret }
    })
  }

  @Mutation(() => CreateApiKeyPayload, {
    description: 'Replaces the secret of an API key. Requires role ADMIN in every namespace of the key.'
  })
  async rotateApiKey(
    @Arg('id', () => ID, { description: 'Value of `ApiKey.id`.' }) id: string,
    @Arg('overlap', () => Duration, {
      nullable: true,
      defaultValue: 0,
      description: 'How long the previous secret remains valid, at most 30d.'
    })
    overlapMs: number | null,
    @Ctx() context: Context
  ): Promise<CreateApiKeyPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const { key, secret } = await context.use.apiKeys.rotate(user, id, Math.round(overlapMs ?? 0))
      return { apiKey: toApiKey(key, namespace.id), secret }
    })
  }

  @Mutation(() => ApiKeyPayload, {
    description: 'Revokes an API key with immediate effect. Requires role ADMIN in one of its namespaces.'
  })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'Value of `ApiKey.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<ApiKeyPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ apiKey: toApiKey(await context.use.apiKeys.revoke(user, id), namespace.id) }))
  }
}
