import type { RunningService } from '../../support/running-service.js'
import type { Story } from './describe-story.js'
import { addNamespace, findExamples } from './examples.js'
import { type Places, StateTour } from './page-states.js'
import { sendShop } from './shop.js'

/** Fills the namespace of the first user with the shop and more, and signs them in; another namespace is empty. */
export async function beginTour(
  story: Story,
  addMore: (service: RunningService) => Promise<unknown>
): Promise<{ readonly tour: StateTour; readonly places: Places }> {
  const service = story.service()
  await Promise.all([sendShop(service), addNamespace(service, 'nothing'), addMore(service)])
  const { email, password, namespace } = service.first
  const places = { filled: namespace, empty: 'nothing', examples: await findExamples(service) }
  // The name of this zone is longer than most.
  const ada = await story.arrive({ zone: 'America/New_York' })
  await ada.page.goto(`/n/${namespace}/logs`)
  await ada.signIn(email, password!)
  await ada.page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  return { tour: await StateTour.of(ada), places }
}
