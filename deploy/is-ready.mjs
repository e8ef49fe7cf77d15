// The health check of our containers: node deploy/is-ready.mjs URL [METRIC]. Ends with status 0 if the
// address answers 200, and if it shows a value above 0 of the metric that is named.
const [url = '', metric] = process.argv.slice(2)

const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null)
const text = response?.ok ? await response.text() : null
const hasValue = (line) => line.startsWith(metric) && Number(line.split(' ').at(-1)) > 0
const isReady = text !== null && (metric === undefined || text.split('\n').some(hasValue))
process.exit(isReady ? 0 : 1)
