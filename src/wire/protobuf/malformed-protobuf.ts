/** The bytes are not a protobuf message, or end too early. */
export class MalformedProtobuf extends Error {}
