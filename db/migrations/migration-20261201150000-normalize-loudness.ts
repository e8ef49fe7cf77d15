import { Migration } from '@mikro-orm/migrations'

/** Adds the setting for equal loudness; existing accounts keep the audio of their sources. */
export class NormalizeLoudness extends Migration {
  override up(): void {
    this.addSql(`update account set settings = '{"normalize_loudness": false}' || settings`)
  }
}
