import type { FailureTable } from '../failure-table.ts'

/**
 * Why a webhook attempt or a whole delivery failed: its `error_code`. A code is added here, and nowhere else: the type, the
 * OpenAPI document and `/docs/errors` follow.
 */
export const DELIVERY_FAILURES = {
  dns_error: {
    cause: 'The host name of the endpoint could not be resolved.',
    remedy: 'Check that the name exists in public DNS, and its DNS servers.',
  },
  address_not_allowed: {
    cause:
      'The host name resolves to an address that is not public, or the URL is no longer valid.',
    remedy: 'Let the name resolve to public addresses only.',
  },
  connection_refused: {
    cause: 'The host refused the TCP connection, or no connection to it could be made.',
    remedy: 'Start the receiver, and open its port in the firewall.',
  },
  connection_reset: {
    cause: 'The connection was closed before the response was complete.',
    remedy: 'Look in the log of the receiver or its proxy, and let it respond before it closes.',
  },
  tls_error: {
    cause: 'The TLS handshake failed, for example for an expired or self-signed certificate.',
    remedy:
      'Install a certificate of a public authority for this host name, with its intermediates.',
  },
  timeout: {
    cause: 'There was no complete response within 15 seconds.',
    remedy: 'Respond 2xx at once, and do the work afterwards.',
  },
  redirect_not_followed: {
    cause: 'The receiver responded with a redirect, which is not followed.',
    remedy: 'Change the URL of the endpoint to the address that the redirect names.',
  },
  http_error: {
    cause:
      'The receiver responded with a status other than 2xx that is no redirect; see response_status.',
    remedy: 'Look at the recorded response and in the log of the receiver.',
  },
  protocol_error: {
    cause: 'The response is not valid HTTP/1.1, or its headers are too large.',
    remedy: 'Let the receiver send HTTP/1.1; a test with curl --http1.1 shows what it sends.',
  },
  endpoint_disabled: {
    cause: 'The endpoint was switched off while the delivery waited.',
    remedy: 'Switch the endpoint on again, then replay the events.',
  },
  cancelled: {
    cause: 'The operator of the service cancelled the delivery.',
    remedy: 'Retry the delivery.',
  },
} as const satisfies FailureTable

export type DeliveryErrorCode = keyof typeof DELIVERY_FAILURES
