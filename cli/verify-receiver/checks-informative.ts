import { WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import type { DeliveryCheck, Observation } from './check.ts'
import { causeTextOf, isAccepted } from './judge.ts'
import type { Kit } from './kit.ts'

/** Deliveries whose responses are reported but do not affect the grade. */
export const INFORMATIVE: DeliveryCheck[] = [
  {
    id: 'service-signature-alone',
    severity: 'info',
    expects: 'anything',
    title: 'Service-Signature is correct; the signature of Standard Webhooks is wrong.',
    hint: 'Accepted by receivers that verify Service-Signature.',
    deliveries: (kit) => [mixed(kit, 'Service-Signature')],
  },
  {
    id: 'standard-webhooks-alone',
    severity: 'info',
    expects: 'anything',
    title: 'The signature of Standard Webhooks is correct; Service-Signature is wrong.',
    hint: 'Accepted by receivers that verify Standard Webhooks.',
    deliveries: (kit) => [mixed(kit, 'webhook-signature')],
  },
  {
    id: 'two-secrets',
    severity: 'info',
    expects: 'accepted',
    title:
      'Two signatures are accepted if either is correct, as in a rotation with overlap_seconds.',
    hint: 'Compare every v1 of the header (every entry of webhook-signature), or rotate without overlap_seconds.',
    deliveries: (kit) => [
      kit.sign({ what: 'the right one second', secrets: [kit.otherSecret, kit.secret] }),
      kit.sign({ what: 'the right one first', secrets: [kit.secret, kit.otherSecret] }),
    ],
  },
  {
    id: 'get',
    severity: 'info',
    expects: 'no crash',
    title: 'A GET on the URL does not end in a 5xx.',
    hint: 'Respond with 405 (or anything below 500), because people and monitors open the URL.',
    deliveries: () => [
      { what: 'GET', method: 'GET', headers: { 'User-Agent': 'Service-Webhooks/1.0' }, body: '' },
    ],
  },
]

/** Checks of all responses together, which also run if the good delivery fails. */
export const OBSERVED: Observation[] = [
  {
    id: 'certificate',
    severity: 'must',
    title: 'The certificate of the URL is valid.',
    expected: 'a TLS connection',
    hint: 'Install a certificate for this host name with its intermediate certificates, and renew it in time.',
    judge(responses, _limits, { protocol }) {
      if (protocol !== 'https:')
        return {
          status: 'skipped',
          got: 'the URL is not https, which endpoints require',
        }
      const refused = responses.find(({ errorCode }) => errorCode === 'tls_error')
      if (refused) {
        const note = causeTextOf([refused])
        const got = `tls_error ${refused.detail}`.trim()
        return { status: 'failed', got, ...(note !== null && { note }) }
      }
      const isReached = responses.some(({ status }) => status !== null)
      return isReached
        ? {
            status: 'held',
            got: 'verified',
          }
        : { status: 'skipped', got: 'no connection was possible' }
    },
  },
  {
    id: 'response-time',
    severity: 'should',
    title: 'Responses are well within the time limit.',
    expected: 'within 5 s; the limit is 15 s',
    hint: 'Respond with 2xx first and work afterwards in a queue: under load, slow responses become timeouts.',
    judge(responses, { slowMs }) {
      const accepted = responses.filter(isAccepted)
      if (accepted.length === 0) return { status: 'skipped', got: 'nothing was accepted' }
      const slowest = Math.max(...accepted.map(({ durationMs }) => durationMs))
      const got = `the slowest took ${(slowest / 1e3).toFixed(1)} s`
      return { status: slowest > slowMs ? 'failed' : 'held', got }
    },
  },
  {
    id: 'response-size',
    severity: 'info',
    title: 'Responses are short.',
    expected: `at most ${WEBHOOK_RESPONSE_BODY_MAX_BYTES / 1024} KiB`,
    hint: 'Respond with an empty or short body: only the first 16 KiB are read and stored with the attempt.',
    judge(responses) {
      const largest = Math.max(0, ...responses.map(({ bodyBytes }) => bodyBytes))
      const isLong = largest > WEBHOOK_RESPONSE_BODY_MAX_BYTES
      return { status: isLong ? 'failed' : 'held', got: `at most ${largest} bytes` }
    },
  },
]

/** Returns a delivery with only one correct signature. */
function mixed(kit: Kit, correctHeader: 'Service-Signature' | 'webhook-signature') {
  const body = kit.body()
  const correct = kit.sign({ what: 'sent', body })
  const wrong = kit.sign({ body, secrets: [kit.otherSecret] })
  return {
    ...correct,
    headers: {
      ...correct.headers,
      ...wrong.headers,
      'webhook-timestamp': correct.headers['webhook-timestamp'] ?? '',
      [correctHeader]: correct.headers[correctHeader] ?? '',
    },
  }
}
