import { Migration } from '@mikro-orm/migrations'

/** Adds the setting for the end of a video; the accounts so far keep the replay button. */
export class EndScreenSetting extends Migration {
  override up(): void {
    const setting = '{"end_screen": {"action": "replay", "link_url": null, "link_text": null}}'
    this.addSql(`update account set settings = '${setting}' || settings`)
  }
}
