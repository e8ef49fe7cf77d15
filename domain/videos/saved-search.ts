/**
 * Filters and order of the list of videos, as its address has them, without the page. The dashboard leaves out what it cannot
 * mean.
 */
export type SavedSearch = Partial<
  Record<
    | 'q'
    | 'status'
    | 'folder'
    | 'protection'
    | 'tag'
    | 'external_id'
    | 'key'
    | 'value'
    | 'created_from'
    | 'created_to'
    | 'min_seconds'
    | 'max_seconds'
    | 'sort',
    string | undefined
  >
>
