const express = require('express')
const pino = require('pino')

// Nothing here knows of OpenTelemetry: `npm start` loads the instrumentation, the environment says where to send.
const log = pino()
const app = express()
const PRICES = { apple: 120, pear: 95 }

app.get('/price/:item', (request, response) => {
  const price = PRICES[request.params.item]
  if (price === undefined) throw new Error(`no price for ${request.params.item}`)
  response.json({ price })
})

app.get('/cart/:id', async (request, response) => {
  const { item: asked } = request.query
  const item = typeof asked === 'string' ? asked : 'apple'
  const { port } = request.socket.address()
  const reply = await fetch(`http://127.0.0.1:${port}/price/${item}`)
  if (!reply.ok) {
    log.warn({ cart: request.params.id, item }, 'item without a price')
    return response.status(404).json({ error: 'no such item' })
  }
  log.info({ cart: request.params.id, item }, 'cart priced')
  return response.json({ cart: request.params.id, ...(await reply.json()) })
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  log.info(`shop listens at http://127.0.0.1:${server.address().port}`)
})
process.on('SIGTERM', () => server.close())
