import { ChannelKind } from './enums.js'
import { registerEnum } from './register-shared-enums.js'

registerEnum('ChannelKind', ChannelKind, 'What receives notifications.', {
  WEBHOOK: 'A webhook with the signatures of Standard Webhooks 1.0.0.',
  SLACK: 'An incoming webhook of Slack, Mattermost or Rocket.Chat.',
  EMAIL: 'E-mail to one address, through the mail server of the operator.',
  ALERTMANAGER: 'An Alertmanager, which gets alerts every minute.'
})
