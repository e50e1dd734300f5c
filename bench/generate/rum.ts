import { seededRandom } from './random.js'
import type { Random } from './random.js'

/** A page view as spec section 2.3 and the added vitals describe it. */
export type RumBody = Readonly<Record<string, string | number>>

interface Visitor {
  readonly country: string
  readonly device_type: 'desktop' | 'mobile'
  readonly browser: string
  readonly os: string
  readonly connection_type: string
  /** How much slower than the best line this visitor's network is. */
  readonly slowness: number
}

const VISITORS: readonly Visitor[] = [
  { country: 'DE', device_type: 'desktop', browser: 'Firefox', os: 'Linux', connection_type: '4g', slowness: 1 },
  { country: 'US', device_type: 'desktop', browser: 'Chrome', os: 'Windows', connection_type: '4g', slowness: 1.2 },
  { country: 'US', device_type: 'mobile', browser: 'Safari', os: 'iOS', connection_type: '4g', slowness: 1.5 },
  { country: 'FR', device_type: 'desktop', browser: 'Safari', os: 'macOS', connection_type: '4g', slowness: 1.1 },
  { country: 'IN', device_type: 'mobile', browser: 'Chrome', os: 'Android', connection_type: '3g', slowness: 2.6 },
  { country: 'BR', device_type: 'mobile', browser: 'Samsung Internet', os: 'Android', connection_type: '3g', slowness: 2.2 },
  { country: 'JP', device_type: 'mobile', browser: 'Chrome', os: 'Android', connection_type: '4g', slowness: 1.3 }
]
const PAGES = [
  { path: '/', title: 'Home', weight: 1 },
  { path: '/search?q=desk', title: 'Search', weight: 1.3 },
  { path: '/product/4711', title: 'Product', weight: 1.5 },
  { path: '/product/2042', title: 'Product', weight: 1.5 },
  { path: '/cart', title: 'Cart', weight: 0.9 },
  { path: '/checkout', title: 'Checkout', weight: 1.8 }
] as const

/** A deterministic stream of page views; `slowdown` multiplies the server's part (a bad release). */
export class RumSource {
  #random: Random

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  next(options: { readonly timestamp?: string; readonly release: string; readonly slowdown: number }): RumBody {
    const random = this.#random
    const { slowness, ...visitor } = random.pick(VISITORS)
    const page = random.pick(PAGES)
    const spread = 0.6 + random.next() * 0.8
    const ttfb = 180 * slowness * spread * options.slowdown
    const fcp = ttfb + 420 * slowness * spread
    const lcp = fcp + 650 * slowness * page.weight * spread
    const isMobile = visitor.device_type === 'mobile'
    return {
      ...visitor,
      page_url: `https://shop.example${page.path}`,
      page_title: page.title,
      session_id: `s-${random.hex(10)}`,
      viewport_width: isMobile ? 390 : 1440,
      viewport_height: isMobile ? 844 : 900,
      time_to_first_byte_ms: Math.round(ttfb),
      first_contentful_paint_ms: Math.round(fcp),
      largest_contentful_paint_ms: Math.round(lcp),
      interaction_to_next_paint_ms: Math.round(60 * slowness * spread * page.weight),
      cumulative_layout_shift: Math.round(random.next() * random.next() * 300) / 1000,
      first_input_delay_ms: Math.round(12 * slowness * spread),
      total_blocking_time_ms: Math.round(90 * slowness * spread),
      dom_content_loaded_ms: Math.round(fcp + 150 * spread),
      time_to_interactive_ms: Math.round(lcp + 220 * spread),
      load_time_ms: Math.round(lcp + 400 * slowness * spread),
      release: options.release,
      trace_id: random.hex(32),
      ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp })
    }
  }
}
