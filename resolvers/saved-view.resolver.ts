import { Arg, Ctx, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { UserType, ViewerType } from '../schema/access.type.js'
import { COST_OF_A_LINK } from '../schema/cost.js'
import { Signal, type ValueOf } from '../schema/enums.js'
import { DeletePayload, PreferencesPayload, SavedViewPayload } from '../schema/payload.type.js'
import { SavedViewInput, SavedViewType } from '../schema/saved-view.type.js'
import { JSONObject } from '../schema/scalars.js'
import { MAX_VIEWS, type SavedViewContent } from '../src/access/saved-view-service.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { nsOfMs, toUser } from './to-access.js'

function toSavedView({ id, name, signal, state, createdBy, updatedAtMs }: SavedViewContent): SavedViewType {
  return { id, name, signal, state, createdById: createdBy, updatedAt: nsOfMs(updatedAtMs) }
}

/** Queries of saved views, and who created one. */
@Resolver(() => SavedViewType)
export class SavedViewResolver {
  @FieldResolver(() => UserType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'Who created it; null for a user who left the namespace, and for views from before this was stored.'
  })
  async createdBy(@Root() { createdById }: SavedViewType, @Ctx() context: Context): Promise<UserType | null> {
    if (createdById === null) return null
    const members = await context.loaders.members.load((await context.namespace()).id)
    const user = members.find(member => member.user.id === createdById)?.user
    return user === undefined ? null : toUser(user)
  }

  @Extensions({ entries: MAX_VIEWS })
  @Query(() => [SavedViewType], { nullable: true, description: 'Saved views with a name, by name.' })
  async savedViews(
    @Arg('signal', () => Signal, { nullable: true, description: 'Only views of this telemetry.' })
    signal: ValueOf<typeof Signal> | undefined,
    @Ctx() { use, namespace }: Context
  ): Promise<SavedViewType[]> {
    return (await use.savedViews.list(await namespace(), signal ?? undefined)).map(toSavedView)
  }

  @Query(() => SavedViewType, { nullable: true, description: 'Finds a saved view by id, with or without a name.' })
  async savedView(
    @Arg('id', () => ID, { description: 'Value of `SavedView.id`.' }) id: string,
    @Ctx() { use, namespace }: Context
  ): Promise<SavedViewType | null> {
    const view = await use.savedViews.get(await namespace(), id)
    return view && toSavedView(view)
  }

  @Mutation(() => SavedViewPayload, {
    description: 'Stores a view, or replaces the one with `id`. Requires role MEMBER. A namespace has at most 1,000.'
  })
  async saveView(
    @Arg('input', () => SavedViewInput, { description: 'Content of the view.' }) input: SavedViewInput,
    @Arg('id', () => ID, { nullable: true, description: 'View to replace; absent for a new one.' }) id: string | undefined,
    @Ctx() context: Context
  ): Promise<SavedViewPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    const { name, signal, state } = input
    return payload(async () => {
      const view = { id: id ?? undefined, name: name ?? undefined, signal, state }
      return { savedView: toSavedView(await context.use.savedViews.save(user, namespace, view)) }
    })
  }

  @Mutation(() => DeletePayload, { description: 'Deletes a saved view. Requires role MEMBER.' })
  async deleteView(
    @Arg('id', () => ID, { description: 'Value of `SavedView.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.savedViews.remove(user, namespace, id)
      return { deletedId: id }
    })
  }

  @Mutation(() => PreferencesPayload, { description: 'Replaces the preferences of the caller.' })
  async setPreferences(
    @Arg('preferences', () => JSONObject, { description: 'Preferences, at most 16 KiB of JSON.' }) preferences: object,
    @Ctx() context: Context
  ): Promise<PreferencesPayload> {
    const user = signedIn(context)
    return payload(async () => {
      await context.use.preferences.set(user, preferences)
      return { preferences }
    })
  }
}

/** Fields of the GraphQL type `Viewer`. */
@Resolver(() => ViewerType)
export class PreferencesResolver {
  @FieldResolver(() => JSONObject, {
    complexity: COST_OF_A_LINK,
    description: 'Preferences of the user for pages; empty for API keys.'
  })
  async preferences(@Ctx() { principal, use }: Context): Promise<object> {
    return principal.kind === 'key' ? {} : use.preferences.of(principal)
  }
}
