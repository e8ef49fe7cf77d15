// The anchor of the memory: Express with one route, in plain JavaScript.
import express from 'express'

const [port] = process.argv.slice(2)
const app = express()
app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
app.get('/', (_request, response) => void response.send('<h1>Hello</h1>'))
app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
