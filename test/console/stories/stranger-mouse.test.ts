import { describeStory } from '../support/describe-story.js'
import { mouse } from '../support/hands.js'
import { strangerStory } from '../support/stranger-story.js'

describeStory('a stranger with a mouse', story => strangerStory(story, () => mouse()))
