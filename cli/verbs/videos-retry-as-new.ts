import { pino } from 'pino'
import { checkLinkAgain } from '../../commands/videos/check-link.ts'
import { retryVideoAsNew } from '../../commands/videos/retry-video-as-new.ts'
import { findAnyVideo, findAnyVideoDetails } from '../../db/accounts/operator.ts'
import type { Video } from '../../db/entities/video.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { isOwnFault } from '../../egress/egress-error.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { SourceError } from '../../egress/source-error.ts'
import { openEgress } from '../../processes/open-egress.ts'
import { operatorVideoView } from '../../views/operator/operator.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, describeRefusal, noVideo } from '../errors.ts'

/** `videos retry-as-new ID`: makes a new video from a failed one, after the checks of POST /v1/videos. */
export async function retryAsNew(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const failed = await findAnyVideo(em, id)
  if (!failed) throw noVideo(id)
  const link = await describeRefusal(
    checkLinkAgain(em, failed, context.hasDrmProvider, (availableBytes) =>
      inspect(context, failed, availableBytes),
    ),
    {
      video_not_found: `The video ${id} was deleted, and its link with it.`,
      source_was_uploaded: `The file of the video ${id} was uploaded: upload it again.`,
      source_in_bucket: `The file of the video ${id} is an object of a bucket, which only an import opens: import it again.`,
      video_not_failed: `The video ${id} is ${failed.status}: only a failed video can be retried as new.`,
    },
  )
  const video = await audited(
    em,
    (tx) => retryVideoAsNew(tx, failed, link),
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

/** Checks the link as a new video does. Throws a CliError if the link is refused. */
async function inspect(
  { config }: Context,
  { sourceUrl }: Video,
  availableBytes: number,
): Promise<{ sizeBytes: number | null }> {
  const egress = await openEgress(config, pino({ level: 'silent' }))
  try {
    return await inspectVideoSource(egress, sourceUrl, { availableBytes })
  } catch (error) {
    if (isOwnFault(error))
      throw new CliError(ERRORS.service_unavailable.message, { code: 'service_unavailable' })
    if (!(error instanceof SourceError)) throw error
    throw new CliError(error.message, { code: error.code })
  }
}
