import { WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import type { DeliveryCheck, Observation } from './check.ts'
import { isAccepted } from './judge.ts'
import type { Kit } from './kit.ts'

/** Deliveries whose answers are good to know, and no part of the grade. */
export const TOLD: DeliveryCheck[] = [
  {
    ...{ id: 'service-signature-alone', severity: 'info', expects: 'anything' },
    title: 'Service-Signature is right, the signature of Standard Webhooks is wrong.',
    hint: 'Accepted by receivers that verify Service-Signature.',
    deliveries: (kit) => [mixed(kit, 'Service-Signature')],
  },
  {
    ...{ id: 'standard-webhooks-alone', severity: 'info', expects: 'anything' },
    title: 'The signature of Standard Webhooks is right, Service-Signature is wrong.',
    hint: 'Accepted by receivers that verify Standard Webhooks.',
    deliveries: (kit) => [mixed(kit, 'webhook-signature')],
  },
  {
    ...{ id: 'two-secrets', severity: 'info', expects: 'accepted' },
    title:
      'Two signatures are accepted when either is right, as in a rotation with overlap_seconds.',
    hint: 'Compare every v1 of the header (every entry of webhook-signature), or rotate without overlap_seconds: then there is one.',
    deliveries: (kit) => [
      kit.sign({ what: 'the right one second', secrets: [kit.otherSecret, kit.secret] }),
      kit.sign({ what: 'the right one first', secrets: [kit.secret, kit.otherSecret] }),
    ],
  },
  {
    ...{ id: 'get', severity: 'info', expects: 'no crash' },
    title: 'A GET on the URL does not end in a 5xx.',
    hint: 'Answer 405 (or anything below 500): people and monitors open the URL in a browser.',
    deliveries: () => [
      { what: 'GET', method: 'GET', headers: { 'User-Agent': 'Service-Webhooks/1.0' }, body: '' },
    ],
  },
]

/** What all answers together show; judged even where the good delivery fails. */
export const OBSERVED: Observation[] = [
  {
    ...{ id: 'certificate', severity: 'must' },
    title: 'The certificate of the URL verifies.',
    expected: 'a TLS connection',
    hint: 'Install a certificate for this very host name, with its intermediate certificates, and renew it in time.',
    judge(answers, _limits, { protocol }) {
      if (protocol !== 'https:')
        return {
          status: 'skipped',
          got: 'the URL is not https; an endpoint can be registered with https alone',
        }
      const refused = answers.find(({ errorCode }) => errorCode === 'tls_error')
      if (refused) return { status: 'failed', got: `tls_error ${refused.detail}`.trim() }
      const isReached = answers.some(({ status }) => status !== null)
      return isReached
        ? { status: 'held', got: 'verified' }
        : { status: 'skipped', got: 'no connection came about' }
    },
  },
  {
    ...{ id: 'response-time', severity: 'should' },
    title: 'Deliveries are answered well within their time.',
    expected: 'within 5 s, of the 15 that are allowed',
    hint: 'Answer 2xx first and work afterwards, in a queue: a busy day makes slow answers late ones.',
    judge(answers, { slowMs }) {
      const accepted = answers.filter(isAccepted)
      if (accepted.length === 0) return { status: 'skipped', got: 'nothing was accepted' }
      const slowest = Math.max(...accepted.map(({ durationMs }) => durationMs))
      const got = `the slowest took ${(slowest / 1000).toFixed(1)} s`
      return { status: slowest > slowMs ? 'failed' : 'held', got }
    },
  },
  {
    ...{ id: 'answer-size', severity: 'info' },
    title: 'Answers are short.',
    expected: `at most ${WEBHOOK_RESPONSE_BODY_MAX_BYTES / 1024} KiB`,
    hint: 'Answer with an empty body or a word: the first 16 KiB are kept with the attempt, the rest is not read.',
    judge(answers) {
      const largest = Math.max(0, ...answers.map(({ bodyBytes }) => bodyBytes))
      const isLong = largest > WEBHOOK_RESPONSE_BODY_MAX_BYTES
      return { status: isLong ? 'failed' : 'held', got: `at most ${largest} bytes` }
    },
  },
]

/** A delivery with only the one signature right. */
function mixed(kit: Kit, rightHeader: 'Service-Signature' | 'webhook-signature') {
  const body = kit.body()
  const right = kit.sign({ what: 'sent', body })
  const wrong = kit.sign({ body, secrets: [kit.otherSecret] })
  return {
    ...right,
    headers: {
      ...right.headers,
      ...wrong.headers,
      'webhook-timestamp': right.headers['webhook-timestamp'] ?? '',
      [rightHeader]: right.headers[rightHeader] ?? '',
    },
  }
}
