import {
  atPath,
  deletedOf,
  unwrap,
  type CallOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import type { Body, ChapterList, DeletedChapter } from '../types.ts'

/** Calls for the chapters of a video; each throws ReelgateError. */
export function chaptersOf(http: Http) {
  return {
    /** Adds a chapter; resolves to all chapters, sorted by start. */
    create: (
      videoId: string,
      body: Body<'createChapter'>,
      options: CreateOptions = {},
    ): Promise<ChapterList> =>
      unwrap<'createChapter'>(
        http.POST('/v1/videos/{id}/chapters', { ...atPath({ id: videoId }, options), body }),
      ),

    list: (videoId: string, options: CallOptions = {}): Promise<ChapterList> =>
      unwrap<'listChapters'>(
        http.GET('/v1/videos/{id}/chapters', atPath({ id: videoId }, options)),
      ),

    /** Changes the given fields; resolves to all chapters, sorted by start. */
    update: (
      videoId: string,
      chapterId: number,
      body: Body<'updateChapter'>,
      options: CallOptions = {},
    ): Promise<ChapterList> =>
      unwrap<'updateChapter'>(
        http.PATCH('/v1/videos/{id}/chapters/{chapter_id}', {
          ...atPath({ id: videoId, chapter_id: chapterId }, options),
          body,
        }),
      ),

    delete: (
      videoId: string,
      chapterId: number,
      options: CallOptions = {},
    ): Promise<DeletedChapter> =>
      deletedOf(
        unwrap<'deleteChapter'>(
          http.DELETE(
            '/v1/videos/{id}/chapters/{chapter_id}',
            atPath({ id: videoId, chapter_id: chapterId }, options),
          ),
        ),
        { id: chapterId, object: 'chapter', deleted: true },
      ),
  }
}
