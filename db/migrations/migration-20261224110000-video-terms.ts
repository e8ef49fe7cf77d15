import { indexStep, step, StepMigration } from '../schema/step-migration.ts'
import type { Run } from '../schema/transactions.ts'

/**
 * Adds the terms by which videos are found (ADR 0072). A trigger keeps them, because processes of the release before write during an
 * upgrade.
 */
export class VideoTerms extends StepMigration {
  override steps() {
    return [
      step('terms of videos', TERM_OF, WORDS_OF, TERMS_OF, TABLE, RECORD, ...TRIGGERS),
      { name: 'terms of the videos that exist', isTransaction: false, work: addTerms },
      indexStep(
        'video_account_updated',
        `video (account_id, updated_at desc, id desc) include (status, folder_id) where deleted_at is null`,
      ),
      indexStep(
        'video_account_title',
        'video (account_id, search_title, id) include (status, folder_id) where deleted_at is null',
      ),
      indexStep(
        'video_account_duration',
        'video (account_id, duration_ms) where deleted_at is null',
      ),
    ]
  }
}

const TABLE = `create table video_term (
  account_id int not null, term bigint not null, created_at timestamptz not null, video_id text not null,
  primary key (account_id, term, created_at, video_id))`

/** The first half of an MD5 hash, which no version of PostgreSQL changes. */
const TERM_OF = `create function term_of(named text) returns bigint language sql immutable strict parallel safe
  return ('x' || left(md5(named), 16))::bit(64)::bigint`

/**
 * Words in lower case, whatever the locale of the database. In scripts without spaces between words, each character counts as
 * one.
 */
const WORDS_OF = `create function words_of(title text) returns text[] language sql immutable strict parallel safe
  return array(select distinct word from regexp_split_to_table(
    regexp_replace(lower(normalize(title) collate "und-x-icu"), '([\\u2E80-\\u30FF\\u3400-\\u9FFF\\uF900-\\uFAFF])', ' \\1 ', 'g'),
    '[^[:alnum:]]+') word where word <> '')`

/**
 * Each facet of a video alone, within its status, and within its folder; the status and the folder alone and together. Keys of metadata
 * have no brackets, so no two facets have one name.
 */
const TERMS_OF = `create function terms_of(v video) returns bigint[] language sql stable as $$
  select case when v.deleted_at is not null then '{}'::bigint[] else array(
    select term_of(scope || facet)
    from unnest(array['', 'status:' || v.status || ' ', 'folder:' || coalesce(v.folder_id::text, 'none') || ' ']) scope,
      unnest(array['', 'protection:' || v.protection]
        || array(select distinct 'tag:' || lower(tag collate "und-x-icu") from unnest(v.tags) tag)
        || array(select 'word:' || word from unnest(words_of(v.title)) word)
        || array(select 'metadata[' || key || ']=' || value from jsonb_each_text(v.metadata))) facet
    where scope || facet <> ''
    union select term_of('folder:' || coalesce(v.folder_id::text, 'none') || ' status:' || v.status || ' ')) end
$$`

const RECORD = `create function record_terms() returns trigger language plpgsql as $$
  declare
    before bigint[] = case when tg_op = 'INSERT' then '{}' else terms_of(old) end;
    after bigint[] = terms_of(new);
  begin
    delete from video_term where account_id = new.account_id and created_at = old.created_at and video_id = old.id
      and term = any (before) and (term <> all (after) or new.created_at <> old.created_at);
    insert into video_term (account_id, term, created_at, video_id)
      select new.account_id, term, new.created_at, new.id from unnest(after) term
      where term <> all (before) or new.created_at <> old.created_at
      on conflict do nothing;
    return null;
  end $$`

const SHOWN = 'status, folder_id, protection, title, tags, metadata, deleted_at, created_at'

const rowOf = (name: 'old' | 'new'): string =>
  `row(${SHOWN.split(', ')
    .map((column) => `${name}.${column}`)
    .join()})`

const TRIGGERS = [
  'create trigger record_terms_of_new after insert on video for each row execute function record_terms()',
  `create trigger record_terms after update of ${SHOWN} on video for each row
    when (${rowOf('old')} is distinct from ${rowOf('new')}) execute function record_terms()`,
]

const BATCH_VIDEOS = 1_000

/** A batch locks its videos, so that none of them changes between the read of its terms and their record. Safe to run twice. */
async function addTerms(run: Run): Promise<void> {
  for (let position = '', hasMore = true; hasMore;) {
    const rows = await run<{ id: string }>(
      `with batch as materialized (select v from video v where id > $1 order by id limit ${BATCH_VIDEOS} for no key update),
        added as (insert into video_term (account_id, term, created_at, video_id)
          select (v).account_id, term, (v).created_at, (v).id from batch, unnest(terms_of(v)) term on conflict do nothing)
      select max((v).id) as id from batch having count(*) > 0`,
      [position],
    )
    hasMore = rows.length > 0
    position = rows[0]?.id ?? position
  }
}
