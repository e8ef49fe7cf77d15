import { z } from 'zod'
import { findPlaybackReport } from '../../db/playback/playback-reports.ts'
import { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { operation, type PathParameter } from '../../http/operation.ts'
import { playbackReportSchema, playbackReportView } from '../../views/playback/playback-report.ts'

const CODE_MAX_LENGTH = 64

const codeParameter: PathParameter<NonNullable<ReturnType<typeof decodeFailureCode>>> = {
  schema: z
    .string()
    .max(CODE_MAX_LENGTH)
    .transform((typed, context) => {
      const code = decodeFailureCode(typed)
      if (code === null) context.addIssue({ code: 'custom', message: 'must be a code' })
      return code ?? z.NEVER
    })
    .meta({
      type: 'string',
      description:
        'As the viewer reads it out: capitals, dashes and spaces do not matter, and O, I and L stand for 0, 1 and 1.',
      example: '1C3J-1EM1-EZRT',
    }),
  notFound: 'invalid_report_code',
}

const getReport = operation({
  id: 'getPlaybackReport',
  method: 'get',
  path: '/v1/playback-reports/{code}',
  tag: 'Playback reports',
  summary: 'Find out why a video did not play',
  description:
    'Each page, message and error that keeps a video from playing has a code, which the viewer can read out on the phone. It says its cause and its minute; the report, which is kept for 30 days, says the rest. The code of a report of another account has the same response as one without a report.',
  scope: 'audience:read',
  params: { code: codeParameter },
  status: 200,
  response: playbackReportSchema,
  async handle({ deps, accountId, params: { code } }) {
    const report = await findPlaybackReport(deps.db.em.fork(), code.code, accountId)
    return playbackReportView(code, report)
  },
})

export const playbackReportOperations = [getReport]
