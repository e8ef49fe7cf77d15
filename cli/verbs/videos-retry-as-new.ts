import { pino } from 'pino'
import { retryVideoAsNew } from '../../commands/videos/retry-video-as-new.ts'
import { availableStorageBytes, findActivePlan } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { findAnyVideo, findAnyVideoDetails } from '../../db/accounts/operator.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { isOwnFault } from '../../egress/egress-error.ts'
import { SourceError } from '../../egress/source-error.ts'
import { openEgress } from '../../processes/open-egress.ts'
import { operatorVideoView } from '../../views/operator/operator.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, noVideo } from '../errors.ts'

/** `videos retry-as-new ID`: makes a new video from a failed one, after the checks of POST /v1/videos. */
export async function retryAsNew(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const failed = await findAnyVideo(em, id)
  if (!failed) throw noVideo(id)
  assertFailed(failed)
  const sizeBytes = await inspect(context, em, failed)
  const { hasDrmProvider } = context
  const video = await audited(
    em,
    (tx) => retryVideoAsNew(tx, failed, { sizeBytes, hasDrmProvider }),
    (made) =>
      made && {
        accountId: made.accountId,
        action: 'video.create',
        subject: made.id,
        after: { title: made.title, retry_of: id },
        fields: ['title', 'retry_of'],
      },
  )
  if (!video)
    throw new CliError(`The video ${id} was deleted during the checks.`, {
      code: 'video_not_found',
    })
  const details = await findAnyVideoDetails(em, video.id)
  if (!details) throw noVideo(video.id)
  const record = { ...operatorVideoView(details, context.embedBase), retry_of: id }
  context.out.print(record, `The new video is ${record.id}.`)
}

function assertFailed({ id, status, deletedAt }: Video): void {
  if (deletedAt !== null)
    throw new CliError(`The video ${id} was deleted, and its link with it.`, {
      code: 'video_not_found',
    })
  if (status !== 'failed')
    throw new CliError(`The video ${id} is ${status}: only a failed video can be retried as new.`, {
      code: 'video_not_failed',
    })
}

/** Returns the size of the source, 0 if it is unknown. Throws a CliError if the source is refused. */
async function inspect(
  { config }: Context,
  em: EntityManager,
  { accountId, sourceUrl }: Video,
): Promise<number> {
  const plan = await findActivePlan(em, accountId, new Date())
  if (!plan) throw new CliError(ERRORS.no_active_plan.message, { code: 'no_active_plan' })
  const availableBytes = await availableStorageBytes(em, plan)
  const egress = await openEgress(config, pino({ level: 'silent' }))
  try {
    return (await inspectVideoSource(egress, sourceUrl, { availableBytes })).sizeBytes ?? 0
  } catch (error) {
    if (isOwnFault(error))
      throw new CliError(ERRORS.service_unavailable.message, { code: 'service_unavailable' })
    if (!(error instanceof SourceError)) throw error
    throw new CliError(error.message, { code: error.code })
  }
}
