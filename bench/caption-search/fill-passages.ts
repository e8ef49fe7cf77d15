import type { Client } from 'pg'

/** Whose captions are filled, and how much of them. */
export interface FilledCaptions {
  accountId: number
  /** Each has half an hour. */
  videos: number
}

export const VIDEOS_PER_HOUR = 2
const PASSAGES_PER_VIDEO = 36
const VIDEOS_AT_ONCE = 2_000
/** The texts of passages: each passage has one of them, and a word of its own. */
const TEXTS = 20_000
const WORDS_PER_TEXT = 110
const CUES_PER_TEXT = 11
/** Words are as frequent as in speech: the most frequent one that is no stop word is in a fifth of the passages. */
const FIRST_RANK = 40
const LAST_RANK = 60_000

/** SQL of a word for a number, of letters that no stemmer changes. */
const wordSql = (first: string, number: string) =>
  `'${first}' || translate((${number})::text, '0123456789', 'bcdfghjkmp') || 'q'`

/** The word of a rank, as `fillPassages` writes it. */
export const wordOf = (rank: number): string => spelled('k', rank)

/** A word that three passages of the account have. */
export const rareWordOf = (number: number): string => spelled('x', number)

const spelled = (first: string, number: number): string =>
  `${first}${String(number).replaceAll(/\d/g, (digit) => 'bcdfghjkmp'[Number(digit)] ?? '')}q`

/** Makes the texts. The index comes after the rows, and the rows have no log: the benchmark measures reads. */
export async function prepareFilling(client: Client): Promise<void> {
  await client.query('alter table caption disable trigger user')
  await client.query('drop index caption_passage_words')
  await client.query('alter table caption_passage set unlogged')
  const rank = `floor(${FIRST_RANK} * exp(random() * ln(${LAST_RANK}.0 / ${FIRST_RANK})))::int`
  await client.query(
    `create unlogged table bench_text (id int primary key, words text, lexemes tsvector, cues jsonb)`,
  )
  await client.query(`insert into bench_text (id, words)
    select n / ${WORDS_PER_TEXT}, string_agg(${wordSql('k', rank)}, ' ')
    from generate_series(0, ${TEXTS * WORDS_PER_TEXT - 1}) n group by 1`)
  await client.query(`update bench_text t set lexemes = to_tsvector('english', words),
    cues = (select jsonb_agg(jsonb_build_array(c * 4000, c * 4000 + 3500,
        array_to_string((string_to_array(t.words, ' '))[c * 10 + 1 : c * 10 + 10], ' ')) order by c)
      from generate_series(0, ${CUES_PER_TEXT - 1}) c)`)
}

/** Fills the captions of an account, in videos that play. */
export async function fillPassages(
  client: Client,
  { accountId, videos }: FilledCaptions,
): Promise<void> {
  for (let first = 0; first < videos; first += VIDEOS_AT_ONCE) {
    const last = Math.min(first + VIDEOS_AT_ONCE, videos) - 1
    await client.query(
      `with added as (
        insert into video (id, account_id, title, status, source_url, protection, duration_ms)
        select substr(md5($1::int || '/' || n), 1, 20), $1::int, 'Lesson ' || n, 'ready', '', 'clearkey', 1800000
        from generate_series($2::int, $3::int) n returning id)
      insert into caption (video_id, language_code, label, content, size_bytes)
      select id, 'en', 'English', '', 0 from added`,
      [accountId, first, last],
    )
    await client.query(
      `insert into caption_passage (video_id, language_code, number, account_id, language, cues, words)
      select v.id, 'en', v.p, $1::int, 'en', t.cues,
        array_to_tsvector(array(select '#' || s from generate_series(1, 8) s
            where (('x' || substr(v.id, 1, 2))::bit(8)::int + v.p) % 256 < 256 >> s) || ($1::int || '/en')) || t.lexemes || to_tsvector('english', ${wordSql('x', `(v.n * ${PASSAGES_PER_VIDEO} + v.p) / 3`)})
      from (select n, p, substr(md5($1::int || '/' || n), 1, 20) as id, floor(random() * ${TEXTS})::int as text
          from generate_series($2::int, $3::int) n, generate_series(0, ${PASSAGES_PER_VIDEO - 1}) p) v
        join bench_text t on t.id = v.text`,
      [accountId, first, last],
    )
  }
}

/** Builds the index and the statistics. */
export async function finishFilling(client: Client): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'`)
  await client.query('create index caption_passage_words on caption_passage using gin (words)')
  await client.query('vacuum analyze caption_passage')
  await client.query('analyze')
}
