import type { Break } from './break.js'

const SLOW = 'test/api/slow-bodies\\.test'
const UNREAD = 'test/api/unread-bodies\\.test'
const CONNECTIONS = 'test/api/connection-limit\\.test'
const COSTLY = 'test/unit/ingest/costly-json\\.test'
const BUDGET = 'test/unit/ingest/byte-budget\\.test'

/** What holds of bodies: their memory, their CPU, their responses. */
export const BODIES: readonly Break[] = [
  {
    promise: 'decompressed bytes are taken of the budget before more are made',
    file: 'src/http/inflate-body.ts',
    find: 'if (!body.tryTake(chunk.length)) {',
    replace: 'if (chunk.length < 0) {',
    tests: SLOW
  },
  {
    promise: 'a body without progress ends',
    file: 'src/http/body-collection.ts',
    find: 'this.#fail(tooSlow())',
    replace: 'this.#watch(0)',
    tests: SLOW
  },
  {
    promise: 'bytes are taken of the budget while a body is decompressed over gRPC, too',
    file: 'src/grpc/metered-call.ts',
    find: "if (encoding !== 'gzip' && encoding !== 'deflate') return",
    replace: 'return',
    tests: 'test/api/grpc-memory\\.test'
  },
  {
    promise: 'a refusal is read by clients that send all of their body first',
    file: 'src/http/linger.ts',
    find: '    await this.#drain(message)\n',
    replace: '',
    tests: UNREAD
  },
  {
    promise: 'a refused body is read to a bound only',
    file: 'src/http/linger.ts',
    find: 'if (bytes > MAX_DRAIN_BYTES) return end()',
    replace: '',
    tests: UNREAD
  },
  {
    promise: 'bodies that arrive together are received in several iterations of the event loop',
    file: 'src/http/body-collection.ts',
    find: 'if (!this.#deps.reading.isOver(chunk.length)) return',
    replace: 'return',
    tests: 'test/unit/http/body-collection\\.test'
  },
  {
    promise: 'of a burst of requests, credentials are served round-robin',
    file: 'src/http/request-pace.ts',
    find: ', callerOf(request))',
    replace: ')',
    tests: 'test/unit/http/request-pace\\.test'
  },
  {
    promise: 'of a connection one request waits for its iteration: pipelined ones do not add up',
    file: 'src/http/request-pace.ts',
    find: 'response.socket !== null && ',
    replace: '',
    tests: 'test/unit/http/request-pace\\.test'
  },
  {
    promise: 'a connection with too many pipelined requests is closed',
    file: 'src/http/queued-responses.ts',
    find: 'request.raw.socket.destroy()',
    replace: 'done',
    tests: 'test/api/pipelined-requests\\.test'
  },
  {
    promise: 'nested brackets count before they are parsed',
    file: 'src/wire/json/json-structure.ts',
    find: ' || byte === OPEN_ARRAY || byte === OPEN_OBJECT) count++',
    replace: ') count++',
    tests: COSTLY
  },
  {
    promise: 'a long string is scanned in steps',
    file: 'src/wire/json/json-structure.ts',
    find: 'skipRest(bytes, ~i, SCANNED_AT_ONCE, null)',
    replace: 'skipRest(bytes, ~i, bytes.length, null)',
    tests: 'test/unit/wire/json-structure\\.test'
  },
  {
    promise: 'the connections of an address are limited',
    file: 'src/http/connection-limit.ts',
    find: 'own >= this.#perNetwork && ',
    replace: 'own >= Infinity && ',
    tests: CONNECTIONS
  },
  {
    promise: 'connections over gRPC count like those over HTTP',
    file: 'src/grpc/server.ts',
    find: 'if (deps.connections.admit(socket)) grpc',
    replace: 'grpc',
    tests: CONNECTIONS
  },
  {
    promise: 'an OTLP message of many fields is read in steps',
    file: 'src/wire/protobuf/reader.ts',
    find: 'return this.#fields >= this.#sliceEnd',
    replace: 'return false',
    tests: 'test/unit/otlp/many-fields\\.test'
  },
  {
    promise: 'the fields of an OTLP record are bounded',
    file: 'src/wire/protobuf/reader.ts',
    find: '++this.#fields > this.#partEnd',
    replace: '++this.#fields > Infinity',
    tests: 'test/unit/otlp/many-fields\\.test'
  },
  {
    promise: 'long runs of digits are looked at once',
    file: 'src/wire/json/lossless-json.ts',
    find: '    while (i + SAFE_DIGITS < end) i += SAFE_DIGITS\n',
    replace: '',
    tests: 'test/unit/ingest/lossless-json\\.test'
  },
  {
    promise: 'one of many large bodies reaches its end',
    file: 'src/ingest/budget-level.ts',
    find: "? 'senior' : 'none'",
    replace: "? 'none' : 'none'",
    tests: BUDGET
  },
  {
    promise: 'a caller keeps its share of the budget while bodies of it wait',
    file: 'src/ingest/budget-level.ts',
    find: ' || this.#bodies > 0 ||',
    replace: ' || this.#bytes > 0 ||',
    tests: BUDGET
  },
  {
    promise: 'bodies that began to wait together are not refused together',
    file: 'src/ingest/byte-budget.ts',
    find: 'MAX_WAIT_MS + queue.length * STAGGER_MS',
    replace: 'MAX_WAIT_MS',
    tests: BUDGET
  },
  {
    promise: 'the keys of a namespace are served in turn when bodies are decompressed',
    file: 'src/ingest/byte-budget.ts',
    find: 'request(body.level.parent ?? body.level, body.level)',
    replace: 'request(body.level.parent ?? body.level)',
    tests: BUDGET
  },
  {
    promise: 'checking records yields to the event loop by time',
    file: 'src/ingest/check-records.ts',
    find: 'if (slices.isOver()) await slices.next()\n      if (job.stored',
    replace: 'if (job.stored',
    tests: 'test/unit/ingest/record-slices\\.test'
  },
  {
    promise: 'received bodies that wait for the event loop are bounded',
    file: 'src/ingest/fair-scheduler.ts',
    find: "if (this.#allWaitingBytes + bytes > MAX_WAITING_BYTES) throw this.#refusal('overloaded', 'of all callers', MAX_WAITING_BYTES)\n",
    replace: '\n',
    tests: 'test/unit/ingest/small-bodies\\.test'
  },
  {
    promise: 'a message over gRPC without progress ends',
    file: 'src/grpc/message-progress.ts',
    find: 'this.#end(tooSlow())',
    replace: 'this.#watch()',
    tests: 'test/api/grpc-memory\\.test'
  },
  {
    promise: 'a gRPC client that left before its key was known holds nothing',
    file: 'src/grpc/metered-call.ts',
    find: '  if (stream.destroyed) return body.release()\n',
    replace: '',
    tests: 'test/api/grpc-memory\\.test'
  },
  {
    promise: 'a pipelined request hears that its connection has closed',
    file: 'src/http/queued-responses.ts',
    find: "      response.emit('close')\n",
    replace: '',
    tests: 'test/api/pipelined-requests\\.test'
  },
  {
    promise: 'IPv4 callers of a dual-stack listener have a share of the budget each',
    file: 'src/http/body-caller.ts',
    find: 'addressPrefixes(client.ip).network',
    replace: "(client.ip.includes(':') ? '::/64' : client.ip)",
    tests: 'test/unit/http/body-caller\\.test'
  }
]
