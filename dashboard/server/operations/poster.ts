import { z } from 'zod'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { choosePoster } from '../../../commands/videos/choose-poster.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findVideo } from '../../../db/videos/videos.ts'
import { orNotFound } from '../../../http/api-error.ts'
import type { OperationDeps } from '../../../http/deps.ts'
import { operation } from '../../../http/operation.ts'
import { sealFrameTicket } from '../../../security/tokens/frame-ticket.ts'
import { pictureName, posterSchema, posterView } from '../../../views/videos/poster.ts'
import { storyboardSchema, storyboardView } from '../../../views/videos/storyboard.ts'

const tag = 'Videos'
const path = '/videos/{id}/poster'
const params = { id: videoIdParameter }

const get = operation({
  id: 'getPoster',
  method: 'get',
  path,
  tag,
  summary: 'Get the poster of a video and the pictures to choose it from',
  scope: 'videos:read',
  params,
  status: 200,
  response: posterSchema,
  handle: ({ deps, accountId, params: { id } }) => posterOf(deps.db.em.fork(), accountId, id, deps),
})

const choose = operation({
  id: 'choosePoster',
  method: 'patch',
  path,
  tag,
  summary: 'Choose the poster of a video among its pictures',
  description:
    'The address of the poster changes, so that no cache shows the former one. An upload that is still being prepared is withdrawn.',
  scope: 'videos:write',
  params,
  body: z.strictObject({ picture: pictureName }),
  status: 200,
  response: posterSchema,
  audit: { action: 'video.choose_poster', fields: ['picture'], before: readPoster },
  handle({ deps, accountId, params: { id }, body: { picture }, commit }) {
    return commit(async (tx) => {
      await choosePoster(tx, accountId, id, picture)
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
  return posterView(video, embedBase, (name) =>
    sealFrameTicket(masterKeys, { videoId: id, name }, Date.now()),
  )
}

/** Reads a poster for the audit log, which holds no address. */
async function readPoster(tx: EntityManager, accountId: number, { id }: { id: string }) {
  const video = await findVideo(tx, accountId, id)
  return video && posterView(video, '', () => '')
}

const storyboard = operation({
  id: 'getStoryboard',
  method: 'get',
  path: '/videos/{id}/storyboard',
  tag,
  summary: 'Get the small pictures of a video over its length, for a preview',
  scope: 'videos:read',
  params,
  status: 200,
  response: storyboardSchema,
  async handle({ deps: { db, embedBase, masterKeys }, accountId, params: { id } }) {
    const video = orNotFound(await findVideo(db.em.fork(), accountId, id), 'video_not_found')
    return storyboardView(video, embedBase, (name) =>
      sealFrameTicket(masterKeys, { videoId: id, name }, Date.now()),
    )
  },
})

export const posterOperations = [get, choose, storyboard]
