/** The numbers of the contract (spec, "Limits"), and the bounds that design.md, section 7, adds. */
const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

export const SOURCE_MAX_BYTES = 20 * GIB
export const SOURCE_MAX_REDIRECTS = 5
export const OUTBOUND_PORTS: readonly number[] = [443, 8443]
export const URL_MAX_LENGTH = 2048
export const TITLE_MAX_LENGTH = 255
/** The contract says "free text"; the bound keeps a row and an answer of sane size. */
export const DESCRIPTION_MAX_LENGTH = 5000
export const DOWNLOAD_ATTEMPTS = 3
/** "5 MB" to the letter. */
export const CAPTION_MAX_BYTES = 5_000_000
/** A caption's and a moment's label; the contract sets no bound. */
export const LABEL_MAX_LENGTH = 255
export const FOLDER_NAME_MAX_LENGTH = 255
export const FOLDERS_MAX = 1000
export const CAPTIONS_MAX = 100
export const CHAPTERS_MAX = 500
export const MOMENTS_MAX = 500

export const API_REQUESTS_PER_MINUTE = 120
export const API_REQUESTS_PER_DAY = 10_000
/** From this share of a plan's limit on, usage is in its danger zone. */
export const DANGER_ZONE_SHARE = 0.9
/** Days that one answer of the usage read may span. */
export const USAGE_DAYS_MAX = 366

export const VIEWER_ID_MAX_LENGTH = 64
export const VIEWER_ID_MAX_BYTES = 64
export const VIEWER_TOKEN_MIN_TTL_SECONDS = 60
export const VIEWER_TOKEN_MAX_TTL_SECONDS = 86_400
export const VIEWER_TOKEN_DEFAULT_TTL_SECONDS = 21_600
/**
 * The latest `exp` of a viewer token, in the year 5138: a larger number is a time in milliseconds, all
 * of which are larger from 1973 on. Sites sign tokens of any lifetime, so this is the only bound.
 */
export const VIEWER_TOKEN_EXPIRY_MAX_SECONDS = 99_999_999_999
export const SIGNING_SECRET_HEX_LENGTH = 64

/** Security events about sites that an account's domain rules refused. */
export const DOMAIN_REFUSALS_PER_HOUR = 20

/** From the connection attempt on, so that a receiver has all of it whatever we wait for before. */
export const WEBHOOK_DEADLINE_MS = 15_000
/** For the lookup of a receiver's host and its place in our queue of lookups. */
export const WEBHOOK_LOOKUP_DEADLINE_MS = 10_000
export const WEBHOOK_RESPONSE_BODY_MAX_BYTES = 16 * KIB
export const WEBHOOK_ENDPOINTS_MAX = 20
/** How long a secret may sign beside the one that replaces it (design, section 7). */
export const WEBHOOK_SECRET_OVERLAP_MAX_SECONDS = 86_400
/** Secrets that sign beside the current one, at most. */
export const WEBHOOK_PREVIOUS_SECRETS_MAX = 4
export const DELIVERED_KEPT_DAYS = 30
/** Also how long events and replays are kept. */
export const FAILED_KEPT_DAYS = 90

export const REQUEST_BODY_MAX_BYTES = 8 * MIB
/** Of a notification from Stripe: an invoice and the first ten of its lines. */
export const STRIPE_BODY_MAX_BYTES = MIB
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000
export const LIST_LIMIT_DEFAULT = 10
export const LIST_LIMIT_MAX = 100
/** The longest that the list of events waits for one. */
export const EVENT_WAIT_MAX_SECONDS = 25
