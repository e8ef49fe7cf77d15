import { fileURLToPath } from 'node:url'
import { describeOperations } from '../../../http/openapi/describe-operations.ts'
import type { Door } from '../../../http/openapi/responses.ts'
import { MOUNTED_OPERATIONS } from '../operations.ts'

/** The responses of the dashboard. */
const DASHBOARD_DOOR: Door = {
  codes: [
    'not_signed_in',
    'other_member',
    'cross_site_request',
    'account_not_found',
    'insufficient_role',
    'rate_limited',
    'invalid_request',
    'service_unavailable',
    'internal_error',
  ],
  otherCodes: ['route_not_found', 'method_not_allowed'],
  isPublicApi: false,
}

const INTRODUCTION = `What the pages of the dashboard call: the operations of the API, and those that only a signed-in member may use.

The cookie of the session signs a call in, and the account is in its address. The browser's Sec-Fetch-Site or Origin must name the dashboard itself. The role of the member in the account carries the scopes. A page names the member for whom it was opened in the header Reelgate-Member; if another one has signed in since, it gets other_member with the address of that one in current.email.

Errors, idempotency and lists are those of the API. A member has 600 requests a minute and an account 3,000. The dashboard may change this at any time: programs use the API.`

/** The OpenAPI document of the dashboard's own API. */
const buildDashboardDocument = () =>
  describeOperations(MOUNTED_OPERATIONS, {
    ...DASHBOARD_DOOR,
    title: 'Reelgate dashboard',
    introduction: INTRODUCTION,
    servers: [
      {
        url: '/api/accounts/{account}',
        variables: { account: { default: '1', description: 'Account id.' } },
      },
    ],
    security: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-reelgate',
        description: 'Set by the sign-in. Over http its name is `reelgate-<port>`.',
      },
    },
  })

/** The copy in the repository, from which the types of the browser's client are made. */
export const dashboardDocumentFile = fileURLToPath(
  new URL('../../../docs/dashboard-openapi.json', import.meta.url),
)

/** The expected content of that copy. */
export const committedDashboardDocument = (): string =>
  `${JSON.stringify(buildDashboardDocument(), null, 2)}\n`
