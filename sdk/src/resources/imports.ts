import { atPath, toInit, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  Body,
  Filters,
  Import,
  ImportLine,
  ImportLineList,
  ImportList,
  Query,
} from '../types.ts'

/** Calls for imports of videos from links; each throws ReelgateError. */
export function importsOf(http: Http) {
  const imports = {
    /** Makes a video of each line, some at a time. */
    create: (body: Body<'createImport'>, options: CreateOptions = {}): Promise<Import> =>
      unwrap<'createImport'>(http.POST('/v1/imports', { body, ...toInit(options) })),

    /** One page, newest first. */
    list: (query: Query<'listImports'> = {}, options: CallOptions = {}): Promise<ImportList> =>
      unwrap<'listImports'>(http.GET('/v1/imports', { params: { query }, ...toInit(options) })),

    /** Every import of the last 90 days, newest first, page by page. */
    listAll: (
      query: Filters<'listImports'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Import, void, undefined> =>
      everyItem<Import>((cursor) =>
        imports.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    /** Returns one import with its progress. */
    get: (id: number, options: CallOptions = {}): Promise<Import> =>
      unwrap<'getImport'>(http.GET('/v1/imports/{id}', atPath({ id }, options))),

    /** One page of the lines, in their order. */
    listLines: (
      id: number,
      query: Query<'listImportLines'> = {},
      options: CallOptions = {},
    ): Promise<ImportLineList> =>
      unwrap<'listImportLines'>(
        http.GET('/v1/imports/{id}/lines', {
          params: { path: { id }, query },
          ...toInit(options),
        }),
      ),

    /** Every line, in their order, page by page. */
    async *listAllLines(
      id: number,
      query: Filters<'listImportLines'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<ImportLine, void, undefined> {
      for (let after: number | undefined, hasMore = true; hasMore;) {
        const cursor = after === undefined ? {} : { starting_after: after }
        const page = await imports.listLines(
          id,
          { limit: PAGE_LIMIT_MAX, ...query, ...cursor },
          options,
        )
        yield* page.data
        hasMore = page.has_more
        after = page.data.at(-1)?.number
      }
    },

    /** Starts no more videos; those that have started are made. */
    cancel: (id: number, options: CreateOptions = {}): Promise<Import> =>
      unwrap<'cancelImport'>(http.POST('/v1/imports/{id}/cancel', atPath({ id }, options))),
  }
  return imports
}
