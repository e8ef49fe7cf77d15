import { z } from 'zod'
import { orNotFound } from '../../../api/api-error.ts'
import type { OperationDeps } from '../../../api/deps.ts'
import { operation } from '../../../api/operation.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { choosePoster } from '../../../commands/videos/choose-poster.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findVideo } from '../../../db/videos.ts'
import { sealFrameTicket } from '../../../security/frame-ticket.ts'
import { posterSchema, posterView } from '../../../views/poster.ts'

const tag = 'Videos'
const path = '/videos/{id}/poster'
const params = { id: videoIdParameter }

const get = operation({
  id: 'getPoster',
  method: 'get',
  path,
  tag,
  summary: 'Get the poster of a video and the frames to choose it from',
  scope: 'videos:read',
  params,
  status: 200,
  answer: posterSchema,
  handle: ({ deps, accountId, params: { id } }) => posterOf(deps.db.em.fork(), accountId, id, deps),
})

const choose = operation({
  id: 'choosePoster',
  method: 'patch',
  path,
  tag,
  summary: 'Choose the poster of a video among its frames',
  description: 'The address of the poster changes, so that no cache shows the former one.',
  scope: 'videos:write',
  params,
  body: z.strictObject({
    frame: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Null for the picture that the ingest chose.' }),
  }),
  status: 200,
  answer: posterSchema,
  audit: { action: 'video.choose_poster', fields: ['frame'], before: readPoster },
  handle({ deps, accountId, params: { id }, body: { frame }, commit }) {
    return commit(async (tx) => {
      await choosePoster(tx, accountId, id, frame)
      tx.clear()
      return posterOf(tx, accountId, id, deps)
    })
  },
})

async function posterOf(
  em: EntityManager,
  accountId: number,
  id: string,
  { embedBase, masterKeys }: OperationDeps,
) {
  const video = orNotFound(await findVideo(em, accountId, id), 'video_not_found')
  return posterView(video, embedBase, (number) =>
    sealFrameTicket(masterKeys, { videoId: id, number }, Date.now()),
  )
}

/** Reads a poster for the audit log, which holds no address. */
async function readPoster(tx: EntityManager, accountId: number, { id }: { id: string }) {
  const video = await findVideo(tx, accountId, id)
  return video && posterView(video, '', () => '')
}

export const posterOperations = [get, choose]
