import { Migration } from '@mikro-orm/migrations'

/** Adds the index in which the captions of an account are added up, without their rows and texts. */
export class CaptionSizes extends Migration {
  override up(): void {
    this.addSql('create index caption_video_size on caption (video_id) include (size_bytes)')
  }
}
