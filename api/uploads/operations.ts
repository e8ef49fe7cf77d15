import { createUpload } from '../../commands/uploads/create-upload.ts'
import { cancelUpload } from '../../commands/uploads/end-upload.ts'
import { refuseMissingFolder } from '../../commands/videos/edit-video.ts'
import type { EntityManager } from '../../db/database.ts'
import { findUpload, listUploads, type UploadDetails } from '../../db/uploads/uploads.ts'
import { EDIT_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { changeMetadata } from '../../domain/videos/own-data.ts'
import { titleFromFilename } from '../../domain/videos/video-title.ts'
import { orNotFound } from '../../http/api-error.ts'
import type { OperationDeps } from '../../http/deps.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { unseal } from '../../security/sealing/sealing.ts'
import { uploadTokenContext } from '../../security/sealing/secret-contexts.ts'
import { listView } from '../../views/list.ts'
import { uploadListSchema, uploadSchema, uploadView } from '../../views/uploads/upload.ts'
import { createUploadBody } from './schemas.ts'

const tag = 'Uploads'
const params = { id: rowIdParameter('upload_not_found') }

/** Fields of the upload object in the audit log: its address is a secret. */
const FIELDS = ['filename', 'size_bytes', 'status']

/** The upload object, with its address while it takes bytes. */
function show({ masterKeys, uploads }: OperationDeps, upload: UploadDetails) {
  const { sealedToken, videoId } = upload
  const token = sealedToken && unseal(masterKeys, sealedToken, uploadTokenContext(videoId))
  return uploadView(upload, token && `${uploads.base}/uploads/${token.toString('utf8')}`)
}

const create = operation({
  id: 'createUpload',
  method: 'post',
  path: '/v1/uploads',
  tag,
  summary: 'Create an upload',
  description:
    'Returns an address to which a browser or a script sends one file, by tus 1.0 or in one PUT. Its storage is reserved at once. The last byte makes a video, which is queued as one from a link is; `video.created` follows. No event says that an upload has expired: read it.',
  scope: 'videos:write',
  body: createUploadBody,
  bodyMaxBytes: EDIT_BODY_MAX_BYTES,
  status: 201,
  response: uploadSchema,
  audit: { action: 'upload.create', fields: FIELDS },
  errors: [
    'no_active_plan',
    'drm_provider_not_configured',
    'folder_not_found',
    'source_too_large',
    'insufficient_storage',
    'too_many_uploads',
    'external_id_taken',
    'too_much_metadata',
  ],
  handle({ deps, accountId, body, commit }) {
    const { masterKeys, hasDrmProvider, uploads } = deps
    return commit(async (tx) => {
      const order = {
        accountId,
        filename: body.filename,
        title: body.title ?? titleFromFilename(body.filename),
        description: body.description ?? '',
        folderId: body.folder_id ?? null,
        externalId: body.external_id ?? null,
        tags: body.tags ?? [],
        metadata: changeMetadata({}, body.metadata ?? null),
        keepOriginal: body.keep_original ?? null,
        allowedOrigin: body.allowed_origin ?? null,
        sizeBytes: body.size_bytes,
        expiresInSeconds: body.expires_in_seconds,
      }
      const rules = { masterKeys, hasDrmProvider, openMax: uploads.openMax }
      return show(deps, await refuseMissingFolder(createUpload(tx, order, rules)))
    })
  },
})

const list = operation({
  id: 'listUploads',
  method: 'get',
  path: '/v1/uploads',
  tag,
  summary: 'List uploads, newest first',
  description: 'Uploads that have ended are kept for 30 days.',
  scope: 'videos:write',
  query: listQuery(rowIdInQuery, {}),
  status: 200,
  response: uploadListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listUploads(deps.db.em.fork(), accountId, toPage(query))
    return listView(page, (upload) => show(deps, upload), '/v1/uploads')
  },
})

const get = operation({
  id: 'getUpload',
  method: 'get',
  path: '/v1/uploads/{id}',
  tag,
  summary: 'Get an upload',
  scope: 'videos:write',
  params,
  status: 200,
  response: uploadSchema,
  async handle({ deps, accountId, params: { id } }) {
    const upload = await findUpload(deps.db.em.fork(), accountId, id)
    return show(deps, orNotFound(upload, 'upload_not_found'))
  },
})

/** Reads an upload for the audit log. */
async function readUpload(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const upload = await findUpload(tx, accountId, id)
  return upload && uploadView(upload, null)
}

const cancel = operation({
  id: 'cancelUpload',
  method: 'delete',
  path: '/v1/uploads/{id}',
  tag,
  summary: 'Cancel an upload',
  description:
    'Its address opens nothing any more. What is stored of it is removed within minutes.',
  scope: 'videos:write',
  params,
  status: 200,
  response: uploadSchema,
  audit: { action: 'upload.cancel', fields: FIELDS, before: readUpload },
  errors: ['upload_ended'],
  handle({ deps, accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await cancelUpload(tx, accountId, id)
      return show(deps, orNotFound(await findUpload(tx, accountId, id), 'upload_not_found'))
    })
  },
})

export const uploadOperations = [create, list, get, cancel]
