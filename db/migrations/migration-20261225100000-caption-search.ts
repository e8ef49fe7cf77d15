import { step, StepMigration } from '../schema/step-migration.ts'
import type { Run } from '../schema/transactions.ts'

/**
 * Adds the passages in which captions are sought (ADR 0073). Triggers say which captions have changed, because processes of the
 * release before write during an upgrade.
 */
export class CaptionSearch extends StepMigration {
  override steps() {
    return [
      step('passages of captions', ...PASSAGES, CHANGES, RECORD, ...TRIGGERS),
      { name: 'captions that exist', isTransaction: false, work: addExisting },
    ]
  }
}

/**
 * Without foreign keys: a deletion of a thousand videos would delete their passages in the request. The words stay in the row, because thousands are
 * ranked, and the cues do not, because a few are shown.
 */
const PASSAGES = [
  `create table caption_passage (
    video_id text not null, language_code text not null, number int not null, account_id int not null, language text not null,
    cues jsonb not null, words tsvector not null, primary key (video_id, language_code, number))
    with (toast_tuple_target = 256)`,
  'alter table caption_passage alter column words set storage main',
  'create index caption_passage_language on caption_passage (account_id, language)',
  'create index caption_passage_words on caption_passage using gin (words)',
]

/** Rows live a minute, so it is vacuumed by their number. */
const CHANGES = `create table caption_change (
  account_id int not null, id bigserial not null, video_id text not null, language_code text not null,
  created_at timestamptz not null default now(), primary key (account_id, id))
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`

const RECORD = `create function record_caption_changes() returns trigger language plpgsql as $$ begin
    insert into caption_change (account_id, video_id, language_code)
      select v.account_id, r.video_id, r.language_code from changed r join video v on v.id = r.video_id;
    return null;
  end $$`

const TRIGGERS = (['insert', 'update', 'delete'] as const).map(
  (event) => `create trigger record_changes_${event} after ${event} on caption
    referencing ${event === 'delete' ? 'old' : 'new'} table as changed
    for each statement execute function record_caption_changes()`,
)

const BATCH_CAPTIONS = 1_000

/** Safe to run twice: a caption that has two changes is indexed once. */
async function addExisting(run: Run): Promise<void> {
  let position = { video: '', language: '' }
  for (;;) {
    const [last] = await run<typeof position>(
      `with batch as materialized (select video_id, language_code from caption where (video_id, language_code) > ($1, $2)
          order by video_id, language_code limit ${BATCH_CAPTIONS}),
        added as (insert into caption_change (account_id, video_id, language_code)
          select v.account_id, b.video_id, b.language_code from batch b join video v on v.id = b.video_id)
      select video_id as video, language_code as language from batch order by video_id desc, language_code desc limit 1`,
      [position.video, position.language],
    )
    if (!last) return
    position = last
  }
}
