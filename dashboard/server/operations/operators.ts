import { inTurn } from '../../../api/link-checks.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { appendAuditEntry } from '../../../commands/audit.ts'
import { checkLinkAgain } from '../../../commands/videos/check-link.ts'
import { retryVideoAsNew } from '../../../commands/videos/retry-video-as-new.ts'
import { findAnyVideo, listDeliveriesOfVideo } from '../../../db/accounts/operator.ts'
import type { EntityManager } from '../../../db/database.ts'
import { Account } from '../../../db/entities/account.ts'
import { readProgress } from '../../../db/ingest/ingest-progress.ts'
import { isFinal } from '../../../domain/videos/video-state.ts'
import { inspectVideoSource } from '../../../egress/inspect-video-source.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { operationFor } from '../../../http/operation.ts'
import {
  doctorReportSchema,
  inspectedVideoSchema,
  inspectedVideoView,
  installationSchema,
  retriedVideoSchema,
  type Part,
} from '../../../views/operator/installation.ts'
import { stepTroubleView } from '../../../views/operator/operator.ts'
import type { DashboardDeps } from '../deps.ts'
import { readInstallation, readPart } from './installation-parts.ts'

const operation = operationFor<DashboardDeps>()
const TAG = 'Operators'
// Every role carries it: the member's mark as an operator decides, not the role in an account.
const SCOPE = 'account:read'
const DELIVERIES_MAX = 20

const getInstallation = operation({
  id: 'getInstallation',
  method: 'get',
  path: '/operator/installation',
  tag: TAG,
  summary: 'Get the state of the installation, part by part',
  description: 'Each part has its own time limit; one that does not respond has its reason.',
  scope: SCOPE,
  isForOperators: true,
  status: 200,
  response: installationSchema,
  handle: ({ deps }) => readInstallation(deps),
})

const getDoctorReport = operation({
  id: 'getDoctorReport',
  method: 'get',
  path: '/operator/doctor',
  tag: TAG,
  summary: 'Check the installation as the command doctor does',
  description:
    'As the process of the dashboard reaches it. Requests within seconds share the results.',
  scope: SCOPE,
  isForOperators: true,
  status: 200,
  response: doctorReportSchema,
  async handle({ deps }) {
    return { object: 'doctor_report' as const, checks: await deps.installation.examine() }
  },
})

const inspectVideo = operation({
  id: 'inspectVideo',
  method: 'get',
  path: '/operator/videos/{id}',
  tag: TAG,
  summary: 'Get where a video of any account is, why, and what can be done',
  scope: SCOPE,
  isForOperators: true,
  params: { id: videoIdParameter },
  status: 200,
  response: inspectedVideoSchema,
  async handle({ deps, params: { id } }) {
    const em = (): EntityManager => deps.db.em.fork()
    const video = orNotFound(await findAnyVideo(em(), id), 'video_not_found')
    const isRunning = !isFinal(video.status) && video.deletedAt === null
    const [account, [progress = null], troubles, deliveries] = await Promise.all([
      em().findOne(Account, { id: video.accountId }),
      isRunning ? readProgress(em(), video.accountId, [id]) : [],
      isRunning ? readTroubles(deps, id) : { reason: null, data: [] },
      listDeliveriesOfVideo(em(), video, DELIVERIES_MAX),
    ])
    return inspectedVideoView({
      video,
      accountName: account?.name ?? '',
      progress,
      troubles,
      deliveries,
    })
  },
})

const readTroubles = (
  { installation, logger }: DashboardDeps,
  id: string,
): Promise<Part<ReturnType<typeof stepTroubleView>[]>> =>
  readPart(logger, 'troubles', async () =>
    (await installation.stepTroubles(id)).map(stepTroubleView),
  )

const retryFailedVideo = operation({
  id: 'retryFailedVideo',
  method: 'post',
  path: '/operator/videos/{id}/retry',
  tag: TAG,
  summary: 'Make a new video from a failed one of any account',
  description:
    'From the same link, after the checks of a new video, with title, description, folder, captions, chapters and moments. The failed video stays as it is: `failed` is a final state.',
  scope: SCOPE,
  isForOperators: true,
  params: { id: videoIdParameter },
  status: 202,
  response: retriedVideoSchema,
  // The handler writes to the log of the account of the video, which is often another one.
  audit: null,
  errors: [
    'video_not_failed',
    'source_was_uploaded',
    'source_in_bucket',
    'no_active_plan',
    'drm_provider_not_configured',
    'invalid_source_url',
    'source_not_allowed',
    'source_unreachable',
    'unsupported_source_type',
    'source_too_large',
    'insufficient_storage',
    'too_many_redirects',
  ],
  async handle({ deps, caller, params: { id }, commit }) {
    const failed = orNotFound(await findAnyVideo(deps.db.em.fork(), id), 'video_not_found')
    const { accountId: ofAccount, sourceUrl } = failed
    const { db, egress, hasDrmProvider } = deps
    const link = await checkLinkAgain(db.em.fork(), failed, hasDrmProvider, (availableBytes) =>
      inTurn(ofAccount, 'source_url', () =>
        inspectVideoSource(egress, sourceUrl, { availableBytes, accountId: ofAccount }),
      ),
    )
    return commit(async (tx) => {
      const made = await retryVideoAsNew(tx, failed, link)
      const { id: newId, accountId, title } = orNotFound(made, 'video_not_found')
      const actor = { kind: 'operator', id: null, name: caller.actor.name } as const
      await appendAuditEntry(tx, accountId, actor, {
        action: 'video.create',
        subject: newId,
        before: null,
        after: { title, retry_of: id },
      })
      return { object: 'retried_video' as const, id: newId, account_id: accountId, retry_of: id }
    })
  },
})

/** The page of the operators. */
export const operatorOperations = [getInstallation, getDoctorReport, inspectVideo, retryFailedVideo]
