import { cancelImport, createImport } from '../../commands/imports/create-import.ts'
import { refuseMissingFolder } from '../../commands/videos/edit-video.ts'
import { findImport, listImportLines, listImports } from '../../db/imports/video-imports.ts'
import { objectLink } from '../../domain/imports/video-import.ts'
import { IMPORT_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { changeMetadata } from '../../domain/videos/own-data.ts'
import { orNotFound } from '../../http/api-error.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import {
  importLineListSchema,
  importLineState,
  importLineView,
  importListSchema,
  importSchema,
  importView,
} from '../../views/imports/import.ts'
import { listView } from '../../views/list.ts'
import { createImportBody, type BucketBody, type ImportLineBody } from './schemas.ts'

const tag = 'Imports'
const params = { id: rowIdParameter('import_not_found') }

const lineOf = (bucket: BucketBody | undefined) => (line: ImportLineBody) => ({
  // Exactly one of both; a key needs a bucket.
  sourceUrl: line.source_url ?? (bucket && objectLink(bucket, line.key ?? '')) ?? '',
  externalId: line.external_id ?? null,
  sha256: line.sha256 ?? null,
  facts: {
    title: line.title ?? null,
    description: line.description ?? '',
    folderId: line.folder_id ?? null,
    tags: line.tags ?? [],
    metadata: changeMetadata({}, line.metadata ?? null),
    keepOriginal: line.keep_original ?? null,
  },
})

const bucketOf = ({
  access_key_id: accessKeyId,
  secret_access_key: secretAccessKey,
  session_token: sessionToken,
  ...named
}: BucketBody) => ({
  ...named,
  accessKeyId,
  secretAccessKey,
  sessionToken: sessionToken ?? null,
})

const create = operation({
  id: 'createImport',
  method: 'post',
  path: '/v1/imports',
  tag,
  summary: 'Import videos from links, or from a bucket',
  description:
    'Makes a video of each line, some at a time, in the order of the lines. The links are checked as those of new videos are, each when its turn comes; but a link that refuses HEAD is asked by GET for its first byte. A line that cannot become a video fails alone. Each video sends the events of any new video.',
  scope: 'videos:write',
  body: createImportBody,
  bodyMaxBytes: IMPORT_BODY_MAX_BYTES,
  status: 202,
  response: importSchema,
  audit: { action: 'import.create', fields: ['line_count', 'at_once'] },
  errors: [
    'no_active_plan',
    'drm_provider_not_configured',
    'folder_not_found',
    'too_much_metadata',
    'too_many_imports',
  ],
  handle({ deps: { masterKeys, hasDrmProvider }, accountId, body, commit }) {
    const { at_once: atOnce, bucket } = body
    const lines = body.lines.map(lineOf(bucket))
    const order = { accountId, atOnce, lines, bucket: bucket ? bucketOf(bucket) : null }
    const rules = { masterKeys, hasDrmProvider }
    return commit(async (tx) =>
      importView(await refuseMissingFolder(createImport(tx, order, rules))),
    )
  },
})

const list = operation({
  id: 'listImports',
  method: 'get',
  path: '/v1/imports',
  tag,
  summary: 'List imports, newest first',
  description: 'Imports that have ended are kept for 90 days.',
  scope: 'videos:read',
  query: listQuery(rowIdInQuery, {}),
  status: 200,
  response: importListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listImports(deps.db.em.fork(), accountId, toPage(query))
    return listView(page, importView, '/v1/imports')
  },
})

const get = operation({
  id: 'getImport',
  method: 'get',
  path: '/v1/imports/{id}',
  tag,
  summary: 'Get an import with its progress',
  scope: 'videos:read',
  params,
  status: 200,
  response: importSchema,
  async handle({ deps, accountId, params: { id } }) {
    const found = await findImport(deps.db.em.fork(), accountId, id)
    return importView(orNotFound(found, 'import_not_found'))
  },
})

const lines = operation({
  id: 'listImportLines',
  method: 'get',
  path: '/v1/imports/{id}/lines',
  tag,
  summary: 'List the lines of an import, in their order',
  scope: 'videos:read',
  params,
  query: listQuery(
    rowIdInQuery,
    { state: importLineState.optional() },
    {
      starting_after: 'The last number of the previous page; returns lines after it.',
      ending_before: 'The first number of the next page; returns lines before it.',
    },
  ),
  status: 200,
  response: importLineListSchema,
  async handle({ deps, accountId, params: { id }, query }) {
    const em = deps.db.em.fork()
    orNotFound(await findImport(em, accountId, id), 'import_not_found')
    const page = await listImportLines(em, { id, state: query.state }, toPage(query))
    return listView(page, importLineView, `/v1/imports/${id}/lines`)
  },
})

const cancel = operation({
  id: 'cancelImport',
  method: 'post',
  path: '/v1/imports/{id}/cancel',
  tag,
  summary: 'Cancel an import',
  description:
    'Starts no more videos; those that have started are made. An import that has ended does not change.',
  scope: 'videos:write',
  params,
  status: 200,
  response: importSchema,
  audit: { action: 'import.cancel', fields: ['state'] },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => importView(await cancelImport(tx, accountId, id)))
  },
})

export const importOperations = [create, list, get, lines, cancel]
