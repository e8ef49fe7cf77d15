import { Migration } from '@mikro-orm/migrations'

/**
 * Makes the keys that grow `bigint`, with what refers to them: from an id of 2,147,483,647 on, no event could be written.
 * Accounts and API keys stay `integer` (ADR 0040).
 */
export class WideKeys extends Migration {
  override up(): void {
    // A waiting lock lets the requests behind it wait too: it gives up, and `migrate` repeats it.
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(`lock table ${Object.keys(COLUMNS).join(', ')} in access exclusive mode`)
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const changes = columns.map((column) => `alter column ${column} type bigint`)
      this.addSql(`alter table ${table} ${changes.join(', ')}`)
    }
    for (const sequence of SEQUENCES) this.addSql(`alter sequence ${sequence} as bigint`)
  }
}

/** In the order in which transactions lock them: parents first. */
const COLUMNS: Record<string, string[]> = {
  member: ['id'],
  membership: ['member_id'],
  invitation: ['id'],
  passkey: ['member_id'],
  dashboard_session: ['id', 'member_id'],
  audit_entry: ['actor_id'],
  payment: ['id'],
  folder: ['id'],
  video: ['folder_id', 'upload_number'],
  poster_upload: ['number'],
  chapter: ['id'],
  moment: ['id'],
  security_event: ['id'],
  webhook_endpoint: ['id'],
  webhook_replay: ['id', 'endpoint_id'],
  webhook_delivery: ['id', 'endpoint_id', 'retry_of', 'replay_id'],
  webhook_attempt: ['delivery_id'],
}

const SEQUENCES = [
  'member_id_seq',
  'invitation_id_seq',
  'dashboard_session_id_seq',
  'payment_id_seq',
  'folder_id_seq',
  'poster_upload_number_seq',
  'chapter_id_seq',
  'moment_id_seq',
  'security_event_id_seq',
  'webhook_endpoint_id_seq',
  'webhook_replay_id_seq',
  'webhook_delivery_id_seq',
]
