// The health check of our containers: node deploy/is-ready.mjs URL. Ends with status 0 if the address responds with 200.
const [url = ''] = process.argv.slice(2)

const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null)
process.exit(response?.ok ? 0 : 1)
