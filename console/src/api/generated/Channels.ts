/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What receives notifications. */
export type ChannelKind =
  /** An Alertmanager, which gets alerts every minute. */
  | 'ALERTMANAGER'
  /** E-mail to one address, through the mail server of the operator. */
  | 'EMAIL'
  /** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
  | 'SLACK'
  /** A webhook with the signatures of Standard Webhooks 1.0.0. */
  | 'WEBHOOK';

/** A channel to store. */
export type NotificationChannelInput = {
  /** Whether it is enabled. */
  enabled?: boolean | null | undefined;
  /** Types of messages; default all. */
  events?: Array<string> | null | undefined;
  /** `standard` or `alertmanager`, for webhooks; default `standard`. */
  format?: string | null | undefined;
  /** Kind; it cannot change. */
  kind: ChannelKind;
  /** Name, at most 128 characters. */
  name: string;
  /** `v1` or `v1a`, for webhooks; default `v1`. */
  signature?: string | null | undefined;
  /** URL, https only; absent to keep that of the stored channel. */
  target?: string | null | undefined;
};

/** Reason for which a mutation was rejected. */
export type UserErrorCode =
  /** The state of the object does not allow the change. */
  | 'CONFLICT'
  /** An argument is missing or out of bounds. */
  | 'INVALID'
  /** The namespace would have no admin. */
  | 'LAST_ADMIN'
  /** A quota is exhausted. */
  | 'LIMIT_REACHED'
  /** The name is reserved, for example by a deleted namespace. */
  | 'NAME_RETIRED'
  /** The object does not exist. */
  | 'NOT_FOUND'
  /** The name is already in use. */
  | 'TAKEN';

export type ChannelsQueryVariables = Exact<{ [key: string]: never; }>;


export type ChannelsQuery = { notificationChannels: Array<{ id: string, name: string, kind: ChannelKind, target: string, format: string, enabled: boolean, disabledReason: string | null, lastDeliveryAt: string | null, lastError: string | null, deliveries: { nodes: Array<{ id: string, type: string, state: string, nextAttemptAt: string | null, attempts: Array<{ at: string, status: number | null, reason: string | null, tookMs: number | null }> }> } }> | null };

export type SaveChannelMutationVariables = Exact<{
  id?: string | number | null | undefined;
  input: NotificationChannelInput;
}>;


export type SaveChannelMutation = { saveNotificationChannel: { secret: string | null, channel: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type DeleteChannelMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteChannelMutation = { deleteNotificationChannel: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type TestChannelMutationVariables = Exact<{
  id: string | number;
}>;


export type TestChannelMutation = { testNotificationChannel: { delivery: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const ChannelsDocument = new TypedDocumentString(`
    query Channels {
  notificationChannels {
    id
    name
    kind
    target
    format
    enabled
    disabledReason
    lastDeliveryAt
    lastError
    deliveries(first: 20) {
      nodes {
        id
        type
        state
        nextAttemptAt
        attempts {
          at
          status
          reason
          tookMs
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelsQuery, ChannelsQueryVariables>;
export const SaveChannelDocument = new TypedDocumentString(`
    mutation SaveChannel($id: ID, $input: NotificationChannelInput!) {
  saveNotificationChannel(id: $id, input: $input) {
    channel {
      id
    }
    secret
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SaveChannelMutation, SaveChannelMutationVariables>;
export const DeleteChannelDocument = new TypedDocumentString(`
    mutation DeleteChannel($id: ID!) {
  deleteNotificationChannel(id: $id) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteChannelMutation, DeleteChannelMutationVariables>;
export const TestChannelDocument = new TypedDocumentString(`
    mutation TestChannel($id: ID!) {
  testNotificationChannel(id: $id) {
    delivery {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<TestChannelMutation, TestChannelMutationVariables>;