/** Names that the generated telemetry speaks of. */
export const SERVICES = [
  'gateway',
  'checkout',
  'payments',
  'catalog',
  'cart',
  'search',
  'inventory',
  'shipping',
  'accounts',
  'sessions',
  'pricing',
  'reviews',
  'notify',
  'fraud',
  'ledger',
  'images',
  'recommend',
  'exports',
  'webhooks',
  'scheduler'
] as const

export const HOSTS: readonly string[] = Array.from({ length: 40 }, (_, i) => `node-${String(i + 1).padStart(2, '0')}`)
export const REGIONS = ['eu-west-1', 'eu-north-1', 'us-east-1', 'ap-south-1'] as const
export const VERSIONS = ['2.13.4', '2.14.0', '2.14.1', '2.15.0-rc1'] as const
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** One operation of each service, in the order of `SERVICES`; `{kind}` is a variable (see templates.ts). */
export const OPERATIONS: readonly string[] = [
  'GET /api/v1/orders/{id}',
  'place order {id} of {user}',
  'charge {user} via {hex}',
  'load product {sku}',
  'add {sku} to cart {hex}',
  'query "{word} {word}"',
  'reserve {n} of {sku}',
  'book parcel {id} to {city}',
  'profile of {user}',
  'refresh session {hex}',
  'price {sku} in {city}',
  'review {id} on {sku}',
  'mail to {user}',
  'score order {id} from {ip}',
  'post entry {id}',
  'resize /img/{hex}.webp',
  'rank {n} items for {user}',
  'export {id} to s3://reports/{hex}',
  'deliver hook {hex} to {ip}',
  'job {word}-{word} #{n}'
]

/** How an operation ends, with the level of the line; ten each make 200 templates. */
export const OUTCOMES: readonly (readonly [level: (typeof LEVELS)[number], text: string])[] = [
  ['info', '{op} done in {ms} ms'],
  ['info', '{op} accepted, queue depth {n}'],
  ['info', '{op} returned 200 with {bytes} bytes'],
  ['info', 'finished {op} after {n} rows'],
  ['info', '{op} served from cache, age {n} s'],
  ['debug', '{op} took shard {n} on {ip}:{port}'],
  ['debug', '{op} lock {hex} held {ms} ms'],
  ['warn', 'slow {op}: {ms} ms over budget'],
  ['warn', '{op} retried {n} times, last peer {ip}:{port}'],
  ['error', '{op} failed: connection to {ip}:{port} refused']
]

export const WORDS = [
  'red',
  'linen',
  'shirt',
  'desk',
  'lamp',
  'brass',
  'oak',
  'wool',
  'mug',
  'cable',
  'bike',
  'tent',
  'boots',
  'radio'
] as const
export const CITIES = ['Oslo', 'Turin', 'Leeds', 'Graz', 'Porto', 'Ghent', 'Brno', 'Malmo'] as const
