import { Migration } from '@mikro-orm/migrations'

/** Makes the list and the title search of an account with many videos fast. */
export class VideoSearch extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // Compared byte by byte: ILIKE converts every title at every search, which takes seven times as long (measured).
  `alter table video add column search_title text collate "C" not null
    generated always as (lower(title)) stored`,
  'drop index video_title_trgm',
  'create index video_search_title_trgm on video using gin (search_title gin_trgm_ops)',
  // A part of fewer than three letters has no trigram: this index is then read alone, without the rows.
  `create index video_account_search on video (account_id, created_at desc, id desc)
    include (status, folder_id, search_title) where deleted_at is null`,
  'drop index video_account_created',
  // For the counts by status.
  `create index video_account_status on video (account_id, status, folder_id)
    where deleted_at is null`,
]
