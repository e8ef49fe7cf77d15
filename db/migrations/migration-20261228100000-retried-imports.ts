import { Migration } from '@mikro-orm/migrations'

/** Adds the video that a line of an import has after its first one was retried as new. The index is for the download of that video. */
export class RetriedImports extends Migration {
  override up(): void {
    this.addSql('alter table video_import_line add column retry_video_id text null')
    this.addSql(`create index video_import_line_retry on video_import_line (retry_video_id)
      where retry_video_id is not null`)
  }
}
