import { z } from 'zod'
import { SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX, SEARCH_MAX_LENGTH } from '../../domain/limits.ts'
import { parseCaptionQuery } from '../../domain/search/caption-query.ts'
import { ApiError } from '../../http/api-error.ts'
import { numberAsText } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { refuseSlow } from '../../http/refuse-slow.ts'
import { text } from '../../http/text.ts'
import { wholeListView } from '../../views/list.ts'
import { searchResultListSchema, searchResultView } from '../../views/search/search-result.ts'
import { languageTag } from '../captions/schemas.ts'
import { folderInQuery, NO_FOLDER } from '../videos/list-videos-query.ts'
import { findMoments } from './find-moments.ts'

/** Finds what is said in videos (ADR 0073). */
const search = operation({
  id: 'search',
  method: 'get',
  path: '/v1/search',
  tag: 'Search',
  summary: 'Find the moments at which something is said, by captions',
  description:
    'The best first, at most three of a video. All words must be said within about a minute, in the order of a phrase in quotes; `-word` must not be said there; `OR` stands between alternatives. Words are sought by their stems, by the language of the caption. A new or changed caption is found within a minute or two; videos are found once they play. Of more than about 4,000 matching minutes, an even sample is ranked. A search that takes longer than 2.5 seconds is refused with `query_too_broad`.',
  scope: 'videos:read',
  query: z.strictObject({
    q: text({
      maxLength: SEARCH_MAX_LENGTH,
      description: 'What is said.',
      example: 'light "turned into energy"',
    }),
    language: languageTag.optional().meta({
      description: 'Only captions in this language: `pt` also means `pt-BR`.',
    }),
    folder_id: folderInQuery.optional(),
    limit: numberAsText(z.int().min(1).max(SEARCH_LIMIT_MAX), {
      minimum: 1,
      maximum: SEARCH_LIMIT_MAX,
      default: SEARCH_LIMIT_DEFAULT,
      description: 'The maximum number of moments.',
    }).default(SEARCH_LIMIT_DEFAULT),
  }),
  status: 200,
  response: searchResultListSchema,
  errors: ['query_too_broad'],
  async handle({ deps, accountId, query: { q, language: tag, folder_id: folder, limit } }) {
    const query = parseCaptionQuery(q)
    if (query.length === 0) throw withoutWords()
    const folderId = folder === NO_FOLDER ? null : folder
    const search = { accountId, query, tag, folderId, limit }
    const found = await refuseSlow(findMoments(deps.db.em.fork(), search))
    if (found === null) throw withoutWords()
    return wholeListView(
      found,
      (one) => searchResultView(one, accountId, deps.embedBase),
      '/v1/search',
    )
  },
})

const withoutWords = () =>
  new ApiError('invalid_parameter', {
    param: 'q',
    message:
      'The search has no word that can be found: words such as “the” are too frequent, and an exclusion needs a word besides it.',
  })

export const searchOperations = [search]
