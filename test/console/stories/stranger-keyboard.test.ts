import { describeStory } from '../support/describe-story.js'
import { keyboard } from '../support/hands.js'
import { strangerStory } from '../support/stranger-story.js'

describeStory('a stranger with a keyboard alone', story => strangerStory(story, ({ page }) => keyboard(page)))
