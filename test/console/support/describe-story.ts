import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { describeWithProgram } from '../../support/programs.js'
import { type RunningService, type ServiceOptions, startService } from '../../support/running-service.js'
import { launchBrowser, Person } from './story.js'

/** What a story has: the service with the built console, and people who come with browsers. */
export interface Story {
  readonly service: () => RunningService
  /** Opens a browser profile of its own; it is closed after the story. */
  readonly arrive: (options?: { readonly zone?: string }) => Promise<Person>
}

/** Cases in a real browser against a service of their own. Without Chromium they are skipped, or fail with REQUIRE_PROGRAMS=1. */
export function describeStory(title: string, cases: (story: Story) => void, options: ServiceOptions = {}): void {
  describeWithProgram('chromium', title, path => {
    let browser: Browser
    let service: RunningService
    const people: Person[] = []
    beforeAll(async () => {
      ;[browser, service] = await Promise.all([launchBrowser(path), startService(options)])
    })
    afterAll(async () => {
      for (const person of people) await person.leave()
      await browser?.close()
      await service?.close()
    })
    describe('in the console', () =>
      cases({
        service: () => service,
        async arrive(arrival = {}) {
          const person = await Person.arrive(browser, service.url, arrival)
          people.push(person)
          return person
        }
      }))
  })
}
