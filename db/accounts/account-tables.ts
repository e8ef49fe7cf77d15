import { TOTAL_COLUMN } from '../audience/total-columns.ts'
import { keptSql } from '../partitions/delivery-tables.ts'
import { ended, partitioned, table, type AccountTable } from './account-table.ts'

const AUDIENCE_TOTALS = Object.values(TOTAL_COLUMN).join(' ')
const WATCHED = 'plays watched_ms first_seen_at last_seen_at last_day'

/**
 * All tables with data of accounts, in the order in which a deletion removes their rows: what refers to a row comes
 * before it.
 */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  ended(
    keptSql('t.delivery_status', 't.delivery_completed_at'),
    'webhook_attempt',
    'delivery_id',
    `delivery_id number trigger started_at duration_ms response_status error_code error_cause error_message response_headers
     response_body response_encoding remote_ip timings`,
    'delivery_status delivery_completed_at',
  ),
  ended(
    keptSql('t.status', 't.completed_at'),
    'webhook_delivery',
    'account_id',
    `id account_id endpoint_id event_id event_type status attempt_count next_retry_at error_code retry_of replay_id
     created_at completed_at`,
    'event_number retry_requested_at',
  ),
  table(
    'webhook_replay_count',
    'replay_id',
    '',
    'replay_id endpoint_id shard created delivered failed',
  ),
  table(
    'webhook_replay',
    'account_id',
    `id account_id endpoint_id since until status state event_count scanned_count last_created_at last_event_id
     created_at completed_at`,
    'end_transaction_id',
  ),
  table(
    'webhook_endpoint',
    'account_id',
    `id account_id url description events is_active disabled_reason failure_count last_success_at created_at
     updated_at deleted_at`,
    'sealed_secret previous_secrets cut_off_at version',
  ),
  partitioned(
    'created_at',
    'event',
    'account_id',
    'id account_id type body request_id created_at',
    'transaction_id number',
  ),
  partitioned(
    'created_at',
    'security_event',
    'account_id',
    'id account_id event_type severity video_id viewer_id details created_at',
  ),
  partitioned(
    'started_at',
    'playback_record',
    'account_id',
    `id account_id video_id viewer_id referer_host user_agent key_grants started_at last_seen_at position_ms
     watched_ms bytes_loaded ended_at noted media_ms parts replayed_parts stretches first_frame_ms stalls stalled_ms
     quality speed error`,
    'signing_secret_version is_open counted counted_at',
  ),
  table('audience_hour', 'account_id', `account_id video_id hour ${AUDIENCE_TOTALS}`),
  table('audience_day', 'account_id', `account_id video_id day ${AUDIENCE_TOTALS} viewer_days`),
  table('audience_value', 'account_id', 'account_id video_id day kind value plays watched_ms'),
  table('audience_retention', 'account_id', 'account_id video_id month views parts replays'),
  table('audience_sketch', 'account_id', '', 'account_id video_id day sketch'),
  table(
    'audience_month',
    'account_id',
    'account_id video_id month peak_sessions breakdown',
    'sketch',
  ),
  table('audience_peak', 'account_id', 'account_id video_id day sessions reached_at'),
  table('viewer_erasure', 'account_id', 'account_id viewer_id requested_at', 'id'),
  table('viewer', 'account_id', `account_id viewer_id ${WATCHED}`, 'id recent_days'),
  table(
    'viewer_progress',
    'account_id',
    `account_id viewer_id video_id ${WATCHED} position_ms parts completed_at`,
    'id recent_days',
  ),
  table(
    'playback_report',
    'account_id',
    'code account_id cause video_id viewer_id host browser system details created_at',
  ),
  table(
    'xapi_statement',
    'account_id',
    'account_id viewer_id video_id verb at facts refused_at created_at',
    'id number',
  ),
  table(
    'record_store',
    'account_id',
    `account_id url username home_page is_active delivered_count refused_count dropped_count last_success_at last_error_at
     last_error_code last_error_message last_error_status last_response created_at updated_at`,
    'sealed_password failure_count refused_in_row next_attempt_at',
  ),
  table('stream_lease', 'account_id', 'account_id viewer_id leases renewed_at'),
  table('revoked_viewer', 'account_id', 'account_id viewer_id revoked_at'),
  table(
    'drm_device',
    'account_id',
    'account_id device_id system viewer_id first_seen_at last_seen_at revoked_at',
  ),
  table('usage_day', 'account_id', 'account_id day bandwidth_bytes encoded_ms'),
  table(
    'idempotency_record',
    'account_id',
    '',
    'account_id route key fingerprint response_status sealed_response etag locked_until created_at',
  ),
  table(
    'poster_upload',
    'video_id',
    'video_id account_id format size_bytes reason created_at',
    'number content request_id',
  ),
  table(
    'ingest_progress',
    'video_id',
    '',
    'video_id name part parts stage fraction started_at updated_at',
  ),
  table(
    'caption',
    'video_id',
    'video_id language_code label content size_bytes created_at updated_at',
  ),
  // Behind the captions, whose removal writes changes.
  table('caption_change', 'account_id', '', 'account_id id video_id language_code created_at'),
  table(
    'caption_passage',
    'account_id',
    '',
    'video_id language_code number account_id language cues words',
  ),
  table('chapter', 'video_id', 'id video_id title start_seconds end_seconds created_at updated_at'),
  table('moment', 'video_id', 'id video_id label timestamp_seconds created_at'),
  table('rendition', 'video_id', 'video_id name facts created_at'),
  table('rendition_chunk', 'video_id', '', 'video_id name count index facts size_bytes created_at'),
  table('playhead', 'video_id', '', 'video_id index seen_at'),
  table('growing_film', 'video_id', '', 'video_id outline created_at'),
  table('chunk_claim', 'video_id', '', 'video_id ticket index created_at'),
  table('later_chunk_claim', 'video_id', '', 'video_id count ticket index created_at'),
  table(
    'content_key',
    'video_id',
    'video_id name track_types key_id created_at',
    'sealed_key iv_hex systems',
  ),
  table('key_request', 'video_id', '', 'video_id name track_types key_id iv_hex created_at'),
  table(
    'source_write',
    'video_id',
    '',
    `video_id token is_held validator object_id source_id next_number parts offset_bytes carry tail created_at
     updated_at`,
  ),
  // What is stored of it goes with it (`drop_source_writes`).
  table(
    'upload',
    'account_id',
    `id account_id video_id status filename title description folder_id external_id tags metadata keep_original
     allowed_origin size_bytes request_id created_at received_at ended_at`,
    'token_hash sealed_token sealed_key reserved_bytes expires_in_seconds',
  ),
  table(
    'video_import_line',
    'account_id',
    // A link may contain a presigned query.
    'import_id number account_id state external_id sha256 facts video_id retry_video_id error_code error_message',
    'source_url',
  ),
  table(
    'video_import',
    'account_id',
    'id account_id state at_once line_count bucket request_id created_at completed_at',
    'sealed_access',
  ),
  table('source_key', 'video_id', '', 'video_id sealed_key source_id copy_id created_at'),
  table('video_term', 'account_id', '', 'account_id term created_at video_id'),
  table(
    'video',
    'account_id',
    `id account_id status title description folder_id external_id tags metadata protection key_model keep_original
     duration_ms size_bytes width height has_poster poster_name poster_version upload_number upload_bytes frame_count has_storyboard warnings
     error_code error_message request_id created_at updated_at deleted_at removed_at`,
    // A link may contain a presigned query.
    'source_url reserved_bytes search_title poster_placeholders version',
  ),
  // Behind the videos and captions, whose removal writes deltas.
  table(
    'account_sum_delta',
    'account_id',
    '',
    `account_id id used_bytes reserved_bytes queued_count processing_count playable_count ready_count failed_count
     caption_bytes`,
  ),
  table(
    'account_sum',
    'account_id',
    '',
    `account_id version used_bytes reserved_bytes queued_count processing_count playable_count ready_count failed_count
     caption_bytes updated_at`,
  ),
  table('folder', 'account_id', 'id account_id name created_at updated_at', 'version'),
  table('api_key_rate', 'key_id', '', 'key_id minute_count minute_ends_at day_count day_ends_at'),
  table('api_key', 'account_id', 'id account_id name hint scopes created_at revoked_at', 'hash'),
  table(
    'invitation',
    'account_id',
    'id account_id role email invited_by is_from_operator grants_operator created_at expires_at used_at',
    'token_hash',
  ),
  // What belongs to a person goes with the last account of the person, by `deleteMembersWithoutAccount`.
  table(
    'passkey',
    'member',
    '',
    'id member_id public_key counter transports name created_at last_used_at',
  ),
  table(
    'dashboard_session',
    'member',
    '',
    'id token_hash member_id ip agent created_at last_seen_at elevated_until passkey_id',
  ),
  table('failed_sign_in', 'member', '', 'member_id count since'),
  table('member', 'member', 'id email name is_operator created_at', 'password_hash'),
  table('saved_view', 'account_id', 'id account_id member_id name search created_at updated_at'),
  table('membership', 'account_id', 'account_id member_id role created_at'),
  table(
    'audit_entry',
    'account_id',
    'id account_id actor_kind actor_id actor_name action subject before after request_id created_at',
  ),
  table(
    'payment',
    'account_id',
    'id account_id amount currency plan_type billing_cycle reference created_at',
  ),
  table(
    'outbox',
    'account_id',
    '',
    'id command subject_id account_id lane attempts request_id due_at created_at',
  ),
  table(
    'plan',
    'account_id',
    `account_id protection is_active storage_limit_bytes bandwidth_limit_bytes encoding_limit_minutes ends_at
     hd_needs_hardware uhd_needs_hardware output_protection licence_seconds renewal_seconds updated_at`,
  ),
  table(
    'account',
    'id',
    'id name settings settings_version plays_limit newest_play_wins created_at deleted_at',
    'sealed_signing_secret signing_secret_version audience_closed_before',
  ),
]
