// The numbers of the contract (contract, "Limits"), and the limits that it leaves open.

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

export const SOURCE_MAX_BYTES = 20 * GIB
export const SOURCE_MAX_REDIRECTS = 5
export const OUTBOUND_PORTS: readonly number[] = [443, 8443]
export const URL_MAX_LENGTH = 2048
export const TITLE_MAX_LENGTH = 255
/** The contract says "free text"; this limit bounds the size of rows and responses. */
export const DESCRIPTION_MAX_LENGTH = 5000
/** What an integrator keeps with a video (ADR 0071). The limits of metadata are those of Stripe. */
export const EXTERNAL_ID_MAX_LENGTH = 255
export const METADATA_KEYS_MAX = 50
export const METADATA_KEY_MAX_LENGTH = 40
export const METADATA_VALUE_MAX_LENGTH = 500
export const TAGS_MAX = 20
export const TAG_MAX_LENGTH = 64
/** What one search may name. */
export const SOUGHT_TAGS_MAX = 5
export const SOUGHT_METADATA_MAX = 5
/** A search in captions: its length, and how many moments it returns. */
export const SEARCH_MAX_LENGTH = 200
export const SEARCH_LIMIT_DEFAULT = 20
export const SEARCH_LIMIT_MAX = 50
export const DOWNLOAD_ATTEMPTS = 3
/** Lines of one import, and how many of its videos are made at the same time (ADR 0074). */
export const IMPORT_LINES_MAX = 5000
export const IMPORT_AT_ONCE_MAX = 20
export const IMPORT_AT_ONCE_DEFAULT = 4
export const RUNNING_IMPORTS_MAX = 20
/** Of all imports of an account, also of those that were cancelled: their rows are kept. */
export const IMPORT_LINES_A_DAY_MAX = 1_000_000
export const IMPORT_KEPT_DAYS = 90
/** 5 MB in decimal units. */
export const CAPTION_MAX_BYTES = 5_000_000
/** For the labels of captions and moments, which the contract does not limit. */
export const LABEL_MAX_LENGTH = 255
export const FOLDER_NAME_MAX_LENGTH = 255
export const FOLDERS_MAX = 1000
export const CAPTIONS_MAX = 100
/** Captions of all videos of an account, which are in the database that accounts share: 10 GB. */
export const ACCOUNT_CAPTIONS_MAX_BYTES = 10_000_000_000
export const CHAPTERS_MAX = 500
export const MOMENTS_MAX = 500

export const API_REQUESTS_PER_MINUTE = 120
export const API_REQUESTS_PER_DAY = 10_000
/** Requests of a member in the dashboard, and of all members of an account; its pages ask every few seconds. */
export const MEMBER_REQUESTS_PER_MINUTE = 600
export const ACCOUNT_REQUESTS_PER_MINUTE = 3000
/** The share of a plan's limit at which the danger zone begins. */
export const DANGER_ZONE_SHARE = 0.9
/** The longest range of GET /v1/usage, in days. */
export const USAGE_DAYS_MAX = 366

export const VIEWER_ID_MAX_LENGTH = 64
export const VIEWER_ID_MAX_BYTES = 64
export const VIEWER_TOKEN_MIN_TTL_SECONDS = 60
export const VIEWER_TOKEN_MAX_TTL_SECONDS = 86_400
export const VIEWER_TOKEN_DEFAULT_TTL_SECONDS = 21_600
/**
 * The latest `exp` of a viewer token, in the year 5138. A larger number is a time in milliseconds,
 * because all times in milliseconds since 1973 are larger. Sites sign tokens of any lifetime, so
 * this is the only limit.
 */
export const VIEWER_TOKEN_EXPIRY_MAX_SECONDS = 99_999_999_999
export const SIGNING_SECRET_HEX_LENGTH = 64

/** The most `domain_refused` security events that an account gets in an hour. */
export const DOMAIN_REFUSALS_PER_HOUR = 20

/**
 * What requests without a valid viewer token may do to a player process, for each network: an IPv4 address or an IPv6
 * /64. The /24 or /48 around it may do four times as much.
 */
export const ANONYMOUS_LIMITS = {
  /** Embed pages and apps that are refused by domain or by token. */
  refusals: { burst: 300, perSecond: 5 },
  /** Sessions without a viewer that are recorded. An office that opens one page together is a network. */
  sessions: { burst: 5000, perSecond: 5 },
  /** What one session without a viewer records: licences, heartbeats and incidents. */
  sessionWrites: { burst: 60, perSecond: 1 },
} as const
/** How many licence requests a player process accepts. A DRM provider bills each that reaches it. */
export const LICENCE_LIMITS = {
  /**
   * Of one session, for ClearKey too. A play has up to five keys, each of which may have a request of its own, and renews
   * them every 30 seconds at the most.
   */
  session: { burst: 30, perSecond: 0.25 },
  /** Of all sessions without a viewer in a network, and of each viewer in a network; of one account. */
  network: { burst: 300, perSecond: 5 },
  /** Of all viewers of an account, and once more of its sessions without a viewer. */
  account: { burst: 6000, perSecond: 100 },
} as const
/** Security events of an account that a player process records one by one each minute. It counts further ones by kind and reason. */
export const SECURITY_EVENTS_PER_MINUTE = 60
/** How long a player process counts further events of one kind, reason and viewer or network on the first. */
export const SECURITY_EVENT_REPEAT_MS = 3_600_000
/** Security events that wait in a player process to be written. */
export const SECURITY_EVENTS_WAITING_MAX = 1000
/** Of them, those of one viewer or network that are counted together: one who floods leaves room for others, also with a viewer token. */
export const SECURITY_EVENTS_WAITING_OF_ORIGIN_MAX = 100

/** What a player process keeps of why videos did not play. Each refusal has a code anyway, which says its cause and its minute. */
export const PLAYBACK_REPORT_LIMITS = {
  /** Of one account. */
  account: { burst: 120, perSecond: 1 },
  /** Of a network without a viewer token, and of a verified viewer, so that they leave room for others. */
  origin: { burst: 30, perSecond: 0.1 },
  /** Of one playback session. */
  session: { burst: 5, perSecond: 0.003 },
} as const
/** Reports that wait in a player process to be written. */
export const PLAYBACK_REPORTS_WAITING_MAX = 1000
export const PLAYBACK_REPORT_KEPT_DAYS = 30
/** Statements that no record store has taken are dropped then. */
export const STATEMENT_KEPT_DAYS = 30
/** How far the minute of a player's report may be before the time at which it comes: the viewer may have been offline. */
export const PLAYBACK_REPORT_LATE_MS = 2 * 3_600_000
/** And after it: clocks differ. */
export const PLAYBACK_REPORT_EARLY_MS = 5 * 60_000

/** Starts with the connection attempt, so delays before it do not shorten a receiver's time. */
export const WEBHOOK_DEADLINE_MS = 15_000
/** For the lookup of a receiver's host, including the wait in this process's lookup queue. */
export const WEBHOOK_LOOKUP_DEADLINE_MS = 10_000
export const WEBHOOK_RESPONSE_BODY_MAX_BYTES = 16 * KIB
/** Of the responses in one page of deliveries, as they are stored; in JSON each byte can be six. One delivery may have 25 of them. */
export const DELIVERIES_PAGE_MAX_BYTES = 2 * MIB
export const WEBHOOK_ENDPOINTS_MAX = 20
/** How long a replaced secret can still sign. */
export const WEBHOOK_SECRET_OVERLAP_MAX_SECONDS = 86_400
/** How many replaced secrets can sign in addition to the current one. */
export const WEBHOOK_PREVIOUS_SECRETS_MAX = 4
export const DELIVERED_KEPT_DAYS = 30
/** For failed deliveries, events and replays. */
export const FAILED_KEPT_DAYS = 90
/** For the histories of deliveries in Temporal, after their end: for a look at what has just happened; the rows say the rest. */
export const DELIVERY_HISTORY_KEPT_DAYS = 3
/** For devices that have asked for no licence since and are not revoked. */
export const DEVICE_KEPT_DAYS = 90
/** For invitations, after they can no longer be used. */
export const INVITATION_KEPT_DAYS = 90
/** For members who belong to no account, after they joined one. */
export const MEMBER_WITHOUT_ACCOUNT_KEPT_DAYS = 30
/** For the number of failed sign-ins of a member, after the first of them. */
export const FAILED_SIGN_INS_KEPT_DAYS = 30
/** For API keys, after they were revoked. The audit log names them. */
export const API_KEY_REVOKED_KEPT_DAYS = 365
/**
 * For what a killed process has written of an object. The attempts of a download, which continue the same object, have 12
 * hours each; one that waits longer begins its object again.
 */
export const UNFINISHED_OBJECT_KEPT_MS = 7 * 24 * 3_600_000
/** For objects that no video needs: an attempt that stored them may still write. */
export const UNUSED_OBJECT_KEPT_MS = 24 * 3_600_000
/** How many events in the range of a replay are counted; it may have more. */
export const REPLAY_COUNTED_EVENTS_MAX = 1_000_000
/** How many pairs of an event and an endpoint the count before a replay looks at, so that it responds in time. */
export const REPLAY_PREVIEW_PAIRS_MAX = 50_000

/** How long the owner's link of the operator can be used. */
export const OPERATOR_LINK_TTL_MS = 24 * 3_600_000
/** How long an invitation of a member can be used. */
export const INVITATION_TTL_MS = 7 * 24 * 3_600_000
/** Of an account, without those of the operator: the list of them has no pages. */
export const OPEN_INVITATIONS_MAX = 500
export const PASSWORD_MIN_LENGTH = 12
/** Longer ones cost time to hash and add no safety. */
export const PASSWORD_MAX_LENGTH = 256
/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1). */
export const EMAIL_MAX_LENGTH = 254
export const MEMBER_NAME_MAX_LENGTH = 100
export const PASSKEYS_MAX = 20
/** Of the states in one page of the audit log. */
export const AUDIT_PAGE_MAX_BYTES = 4 * MIB
/** Of the states of one entry, before and after together, as JSON (ADR 0077). */
export const AUDIT_ENTRY_MAX_BYTES = 64 * KIB
/** Of the states of all entries of an account in a day, in each process. */
export const AUDIT_BYTES_PER_DAY = 100_000_000
/** To which the states of further entries of the day are shortened. */
export const AUDIT_ENTRY_SHORT_BYTES = 256
/** Of a member in an account. */
export const SAVED_VIEWS_MAX = 50
export const SAVED_VIEW_NAME_MAX_LENGTH = 80
/** How long a person has to use a passkey once the browser asks for it. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000
/** How long a password or a passkey counts as fresh authentication. */
export const ELEVATION_MS = 10 * 60_000

/** How many videos one request of the dashboard names. */
export const SELECTED_VIDEOS_MAX = 100
/** A part of a title with fewer characters is sought in the newest videos only: the index has parts of this length. */
export const INDEXED_TITLE_PART_LENGTH = 3
/** How many of the newest videos of an account are searched for a shorter part. */
export const SHORT_SEARCH_VIDEOS_MAX = 10_000
/** How many videos with a part of a title are counted. */
export const COUNTED_MATCHES_MAX = 1000
/** How many videos one request of the dashboard deletes by their filter, in one transaction. */
export const DELETED_VIDEOS_MAX = 1000
/** How many videos one request for progress names. */
export const PROGRESS_IDS_MAX = 50
/** How many hosts the dialog of a deletion shows. */
export const EMBEDDING_HOSTS_MAX = 50

/** Entries of the list of allowed hosts, and of that of blocked ones. */
export const DOMAINS_MAX = 1000
/** How long the dashboard shows the player with unsaved settings by one ticket. */
export const PREVIEW_TICKET_TTL_MS = 5 * 60_000
/** A ticket has about 400 characters. */
export const PREVIEW_TICKET_MAX_LENGTH = 1024

/** The largest body of a request unless its operation needs more. */
export const SMALL_BODY_MAX_BYTES = 64 * KIB
/** 5 MB of WebVTT in JSON, whose line ends take two bytes and whose other characters may be escaped. */
export const CAPTION_BODY_MAX_BYTES = 8 * MIB
/** All chapters or moments of a video, with what they were before. */
export const TIMELINE_BODY_MAX_BYTES = 4 * MIB
/** The lists of allowed and of blocked hosts. */
export const DOMAINS_BODY_MAX_BYTES = MIB
/** As many lines as an import may have, of two kilobytes each. */
export const IMPORT_BODY_MAX_BYTES = 10 * MIB
/** Two descriptions of the largest size, the text before and after an edit, and metadata in full, escaped. */
export const EDIT_BODY_MAX_BYTES = 512 * KIB
/** What an authenticator returns. */
export const PASSKEY_BODY_MAX_BYTES = 128 * KIB
/** The largest picture that a member can upload as a poster: 10 MB in decimal units. */
export const POSTER_UPLOAD_MAX_BYTES = 10_000_000
/** Its pixels: more than any phone takes. The decoder needs up to 9 bytes for each (measured). */
export const PICTURE_MAX_PIXELS = 50_000_000
/** Its longer side: half the width of a small player. */
export const PICTURE_MIN_SIDE_PIXELS = 320
/** Uploaded posters of one account that wait at the same time. */
export const POSTER_UPLOADS_WAITING_MAX = 10
/** How long an uploaded poster is tried, and how long the reason of a refusal is kept. */
export const POSTER_UPLOAD_KEPT_DAYS = 1
export const POSTER_REFUSAL_KEPT_DAYS = 30
/** The audience by the hour; by the day it is kept for longer. */
export const AUDIENCE_HOUR_KEPT_DAYS = 35
/** A playback session plays if its last heartbeat is not older; heartbeats come every minute. */
export const PLAYING_SEEN_MS = 90_000
export const PLAYING_SESSIONS_MAX = 100
/** Hosts of the last day that are tested against new domain rules. */
export const RECENT_HOSTS_MAX = 1000
export const API_KEY_NAME_MAX_LENGTH = 100
/** API keys of an account that are not revoked: the limits of requests are for each key. */
export const API_KEYS_MAX = 100

/** For a notification from Stripe, which contains an invoice and its first ten lines. */
export const STRIPE_BODY_MAX_BYTES = MIB
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000
/** Of one kept response, sealed: more than a usual one has. Longer ones take what is above it from the bytes of the account (ADR 0077). */
export const IDEMPOTENCY_FREE_BYTES = 4 * KIB
/** For the long ones of an account in a day, in each process. */
export const IDEMPOTENCY_BYTES_PER_DAY = 250_000_000
export const LIST_LIMIT_DEFAULT = 10
export const LIST_LIMIT_MAX = 100
/** The longest wait of GET /v1/events for a new event. */
export const EVENT_WAIT_MAX_SECONDS = 25

/** Uploads (ADR 0064). */
export const FILENAME_MAX_LENGTH = 255
export const UPLOAD_EXPIRES_DEFAULT_SECONDS = 86_400
export const UPLOAD_EXPIRES_MIN_SECONDS = 60
/** Shorter than `UNFINISHED_OBJECT_KEPT_MS`, by which the file of a paused upload in a folder would be removed. */
export const UPLOAD_EXPIRES_MAX_SECONDS = 518_400
export const ENDED_UPLOAD_KEPT_DAYS = 30
/** Of an account; a setting of the API. */
export const OPEN_UPLOADS_MAX = 100
