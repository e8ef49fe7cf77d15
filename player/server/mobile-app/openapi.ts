import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import { paths } from '../paths.ts'
import { APP_ERRORS, type AppErrorCode } from './app-errors.ts'
import { challengeBody, challengeResponse, sessionBody, sessionResponse } from './schemas.ts'

const INTRODUCTION = `What the mobile player app calls on the player host (\`EMBED_BASE_URL\`), after the link \`service://play/{video_id}/{base64_account_id}/{vt}\` has opened it. No API key is involved: the viewer token in the link is verified again.

Afterwards the app sends the session token with every request for a manifest, a licence, captions and a heartbeat, as the player page does. Errors are \`{"error": {"code", "message", "report_code"}}\`. A body that is not JSON is 400 \`invalid_json\`, one of more than 16 KiB 413 \`payload_too_large\`. 503 \`service_unavailable\` means: try again.`

const errorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      report_code: z.string().meta({
        description:
          'Show it to the viewer: with it, the owner of the video finds out why it did not play (`GET /v1/playback-reports/{code}`).',
        example: '843J-1EM1-EZRW',
      }),
    }),
  })
  .meta({ id: 'Error' })

interface Described {
  id: string
  summary: string
  body: z.ZodType
  response: z.ZodType
  codes: AppErrorCode[]
}

const challenge: Described = {
  id: 'create_app_challenge',
  summary: 'Get a challenge for a link',
  body: challengeBody,
  response: challengeResponse,
  codes: ['invalid_request', 'invalid_link', 'app_playback_off'],
}

const session: Described = {
  id: 'create_app_session',
  summary: 'Redeem a challenge for a playback session',
  body: sessionBody,
  response: sessionResponse,
  codes: Object.keys(APP_ERRORS).filter(isCode),
}

function isCode(text: string): text is AppErrorCode {
  return text in APP_ERRORS
}

/** The OpenAPI document of the app's side. */
const buildDocument = () =>
  createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Reelgate mobile app',
      version: '1.0.0',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8081' }],
    // The viewer token is in the body.
    security: [],
    paths: {
      [paths.appChallenges]: { post: describe(challenge) },
      [paths.appSessions]: { post: describe(session) },
    },
  })

function describe({ id, summary, body, response, codes }: Described): ZodOpenApiOperationObject {
  const byStatus = Map.groupBy(codes, (code) => APP_ERRORS[code][0])
  return {
    operationId: id,
    summary,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '200': { description: 'Done.', content: { 'application/json': { schema: response } } },
      ...Object.fromEntries(
        [...byStatus].map(([status, some]) => [
          String(status),
          {
            description: describeCodes(some),
            content: { 'application/json': { schema: errorBody } },
          },
        ]),
      ),
    },
  }
}

const describeCodes = (codes: AppErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${APP_ERRORS[code][1]}`).join('\n')

/** The copy in the repository. */
export const appDocumentFile = fileURLToPath(
  new URL('../../../docs/app-openapi.json', import.meta.url),
)

/** The expected content of that copy. */
export const committedAppDocument = (): string => `${JSON.stringify(buildDocument(), null, 2)}\n`
